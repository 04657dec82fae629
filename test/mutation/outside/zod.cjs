module.exports = requireOutside('zod');
