const fastCheck = requireOutside('fast-check');

// A mutant is found by the first run that fails: the smallest one that does is of no use here.
fastCheck.configureGlobal({ endOnFailure: true });

module.exports = fastCheck;
