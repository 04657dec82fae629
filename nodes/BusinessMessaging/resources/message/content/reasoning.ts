/** What a text begins with between tags of reasoning. Without an end, the model was cut off. */
const REASONING =
	/^(?:\s*(?:<(think|thinking|reason|reasoning|reflection|analysis|scratchpad|thought)>[^]*?(?:<\/\1>|$)|<\|begin_of_thought\|>[^]*?(?:<\|end_of_thought\|>|$)|◁think▷[^]*?(?:◁\/think▷|$)))+/i;
/** Some models' first tag is in the prompt. Between signs of code, a text is about the tag. */
const UNOPENED = /^(?:(?!<think(?:ing)?>)[^])*?(?<!`)<\/think(?:ing)?>/i;

/** A model's text without the reasoning that it begins with. Linear in the length of the text. */
export const withoutReasoning = (text: string): string => {
	const opened = text.replace(REASONING, '');
	const spoken = opened.replace(UNOPENED, '');
	return spoken === text ? text : spoken.trimStart();
};
