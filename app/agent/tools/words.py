"""Why a call was refused, in words for the model: what is wrong and what it may do instead."""

from app.domain.policy import Why

SENTENCES = {
    Why.PAUSED: "The owner has stopped all agents.",
    Why.NOT_LISTED: "There is no tool {tool}. The tools are: {listed}.",
    Why.ITERATIONS_SPENT: "This run has no turns left.",
    Why.TOKENS_SPENT: "This run has used up its tokens.",
    Why.SENDS_SPENT: "This run has sent what it may send. Use a draft, or leave it to the owner.",
    Why.SENDS_THIS_HOUR: "The agents have sent what they may send in an hour. Use a draft, or leave it to the owner.",
    Why.BAD_RECIPIENT: "Each recipient must be exactly one mail address.",
    Why.NOT_AN_ARTIFACT: "Files are named by the handle that a tool gave out; this is none.",
    Why.NET_PRIVATE_WORDS: "A search may not repeat private text, nor hold addresses, codes or long numbers. Use general words.",
    Why.NET_TOO_LONG: "A search must be short and made of plain words.",
    Why.NET_BAD_ADDRESS: "Only https addresses with a public host name, without port and user, can be read.",
    Why.NET_HOST_NOT_ALLOWED: "Only sites that the owner named or allowed can be read.",
    Why.NET_QUERY_NOT_TYPED: "An address may hold no query that the owner did not type.",
}
"""By reason. A test checks that every reason for a refusal has one."""

OTHER = "The call of {tool} was refused: {why}."


def denial_words(why: Why, tool: str, listed: str) -> str:
    """The sentence of a reason."""
    return SENTENCES.get(why, OTHER).format(tool=tool[:60], listed=listed or "none", why=why.value)
