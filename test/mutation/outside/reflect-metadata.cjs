module.exports = requireOutside('reflect-metadata');
