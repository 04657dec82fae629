module.exports = requireOutside('n8n-core');
