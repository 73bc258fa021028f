"""Patterns of speech acts over folded text, English, Czech, German, with usual forms of Spanish and French."""

import re

from app.domain.language.words import PhraseTable

_LEAD = (
    r"^(?:(?:everyone|everybody|and|so|but|also|then|ok|okay|well|btw|by the way|ps|p\.s\.|sorry|quick question|"
    r"one (?:more )?(?:question|thing)|"
    r"if (?:so|not|possible|you can|you could|you get (?:a|the) (?:chance|moment|minute))|"
    r"when you (?:can|get (?:a|the) (?:chance|moment|minute))|thanks|a|tak|jeste|jen|take|und|also|nur|auch|dann|y|et|alors|"
    r"[\w'-]+(?: and [\w'-]+)?\s*[,:–-])\s*[,;:.–-]*\s+){0,2}"
)
"""Small words, or a name, that may stand before what a sentence does."""
_STRICT_LEAD = (
    r"^(?:(?:and|so|but|also|then|ok|okay|well|btw|by the way|sorry|a|tak|jeste|take|und|also|y|et|alors)\s*,?\s+|"
    r"[\w'-]+\s*[,:–-]\s*){0,2}"
)
_NO_ECHO = r"^(?!(?:so|nor|neither) \w+ \w+(?:[,.;!]|$))"
"""Not "so do I", which asks nothing."""

OPEN_QUESTION = PhraseTable(
    # An interrogative with a verb after it; a question mark is often left out.
    _STRICT_LEAD + r"(?:what|when|where|which(?! (?:is|was|are|were|will|would|has|can|could)\b)|who|whom|why|how)"
    r"(?:'s| (?:\w+ ){0,2}?(?:is|are|was|were|do|does|did|can|could|should|would|will|shall|has|have))\b"
    r"(?! (?:a|an) )(?!.{0,80}, )",
    _NO_ECHO
    + _STRICT_LEAD[1:]
    + r"(?:(?:do|have) (?:you|we|they|i|any(?:one|body|thing)?)|(?:did|does|has|are|is|was|were) (?:you|we|they|i|he|"
    r"she|it|there|this|that|these|those|the|your|my|our|any(?:one|body|thing)?)|(?:can|could|should|will|would) "
    r"(?:they|he|she|it|this|that|the|your|any(?:one|body)))\b(?!.{0,200}\bthen\b)",
    r"(?<=[,;]) (?:and |or |but )?(?:(?:is|are|was|were|does|did|has|can|could|should) (?:it|they|you|he|she|there|this|that|we)|"
    r"(?:do|have) (?:you|we|they))\b",
    r"^(?:and |so |but |ok |or )?(?:what (?:time|day|date|size|colou?r|sort|kind|number)|which (?!is|was|are|were|will|would|has|"
    r"had|have|means|makes|can|could|may|might|should|i|we|you|they|he|she|it)\w+|how (?:many|much|long|far|often|big|soon)|"
    r"who(?:'s|se| has| wants| can| will| brings)?) [^,!]{1,40}$",
    r"^(?:you|u|anyone|anybody) (?:still )?(?:around|free|available|up for|coming|joining|about|ok|okay|alright) ?[^,!]{0,40}$",
    r"^(?:so |and )?still (?:on|ok|okay|good|happy|up|able|coming) (?:for|to|with|on)\b[^,!]{0,40}$",
    r"^or (?:would|shall|should|is|are|do|does|can|could) \w+|\b(?:yes or no|or not)[.! ]*$",
    r"\b(?:any|got any) (?:news|update|updates|luck|joy|sign|movement|preference|progress|idea|ideas|thoughts|chance|word|"
    r"comments|feedback|objections)\b",
    r"^(?:your )?(?:thoughts|opinion|comments)\b.{0,30}$",
    r"\b(?:i was|i am|i'm|just|we were|we are|we're) wondering\b|\bi wonder (?:if|whether|what|how|when)\b",
    r"\b(?:i|we)(?:'d| would| do)? (?:like|need|want|love) to (?:know|ask|find out|understand)\b|\bi have (?:a|one|two|"
    r"another|some|a few) (?:quick )?questions?\b|\bcan'?t (?:find|figure) out (?:how|where|what)\b",
    r"\b(?:zajima|zajimalo by|zajimaji) (?:me|nas|mne)\b|\b(?:chtel|chtela|chteli|rad|rada) (?:bych|"
    r"bychom) (?:se )?(?:vedel[ai]?|vedet|zeptat|dozvedet|poptat)\b|\b(?:mam|mame) (?:\w+ )?(?:dotaz|otazku)\b|"
    r"\bnejake novinky\b|\bjak to vypada\b",
    r"\b(?:ich|wir) (?:wollte|wollten|wurde|wurden|mochte|mochten|hatte|hatten) (?:\w+ ){0,3}(?:wissen|fragen|erfahren|"
    r"nachfragen)\b|\b(?:ich|wir) (?:hatte|habe|haben|hatten) (?:\w+ ){0,2}fragen?\b|"
    r"^(?:wann|wo|wie|was|wer|warum|wieso|welche[rsn]?|wieviel|wie viel) (?:\w+ ){0,2}?(?:ist|sind|kann|konnen|konnte|"
    r"konnten|soll|sollen|sollte|hat|haben|wird|werden|ware|passt|kostet|kosten|gibt|mussen|muss)\b",
    r"^(?:und |also |so )?(?:wann|wo|wohin|woher|wer|wem|wen|warum|wieso|wieviel|wie (?:viele?|lange|oft|hoch|weit)|"
    r"welche[rsn]?)\b"
    r"[^,!]{1,60}$|^(?:und |also |dann )?(?:hast|habt|bist|seid|kommst|kannst|gehst|weisst|nimmst|brauchst|willst|magst|schaffst|"
    r"bringst|machst|fahrst) (?:du|ihr)\b|^(?:und |also |dann )?(?:haben|sind|kommen|wissen|brauchen|schaffen|wollen|machen) "
    r"(?:sie|wir)\b",
    r"^(?:a |tak |ale )?(?:v kolik|od kolika|do kdy|od kdy|na kdy|kdy|kde|kam|kolik|kdo|proc|(?:jak|kter)(?:y|a|e|ou|ych|ym))\b"
    r"[^,!]{1,60}$|^(?:a |tak )?(?:prijd|pojed|stihn|vezm|prines|jd|pujd)(?:es|ete)\b|^(?:a |tak )?doraz(?:is|ite)\b|"
    r"\bvi(?:s|te)(?: \w+)?,? (?:jestli|zda|kdy|kde|kdo|kolik|kam|jak|co)\b",
    r"\b(?:quisiera|me gustaria|queria|necesito) (?:saber|preguntar)\b|\b(?:je voudrais|j'aimerais|"
    r"je souhaite(?:rais)?) (?:savoir|demander)\b|\bje me demande\b",
)

_ASKING_NOUNS = r"(?:thoughts|views?|comments|advice|help|input|feedback|opinion|guidance|preference|reply|answer|decision)"

INDIRECT = PhraseTable(
    # Something is missing: from the reader, or before the writer can go on.
    r"\b(?:i|we)(?: still| also| just)*(?:'ve| have|'d| had| do| did)?(?: still| yet| also)*(?:n't| not)(?: yet| still|"
    r" actually)*"
    r"(?: (?:had|have|got|received|seen|heard|get|receive|hear))+\b.{0,50}\b(?:your|you|yours)\b",
    r"\b(?:missing|outstanding|lacking|needed|required|owed) from (?:you|your)\b|\b(?:nothing|no word|no news|no reply|"
    r"no answer) "
    r"(?:back |yet |so far )?from you\b",
    r"\byour (?:\w+ ){1,4}(?:has|have|had|did)(?:n't| not)(?: yet| actually)* (?:arrived?|come|reached?|turned up|been|"
    r"appeared?)\b",
    r"\b(?:i|we)(?:'d|'ll| would| will| still| also| only| just| do|'m| am|'re| are)* (?:need|require|lack|missing|short of)\b"
    r".{0,40}\b(?:from you|your)\b|\b(?:i|we)(?:'d|'ll| would| will) (?:also |still |just )?(?:need|require)\b",
    r"\b(?:i|we) (?:can't|cannot|can not|won't|will not|couldn't) .{1,60}\b(?:until|till|unless|without) (?:i|we|you|your|the)\b",
    r"\b(?:mir|uns) fehl(?:t|en)\b|\bfehl(?:t|en) (?:noch|mir|uns|von)\b|\blieg(?:t|en) (?:mir|uns|hier)\b.{0,20}\bnicht vor\b|"
    r"\b(?:kann|konnen) (?:ich|wir)\b.{0,60}\bnicht (?:anfangen|beginnen|weiter\w*|abschliessen|bearbeiten|fertig\w*|starten)\b|"
    r"\b(?:habe|haben)\b.{0,40}\b(?:noch|bisher|bislang)\b.{0,40}\b(?:nicht|kein\w*)\b.{0,30}\b(?:erhalten|bekommen|gehort)\b",
    r"\bchybi\b.{0,12}\b(?:mi|nam|od (?:tebe|vas))\b|\b(?:zatim|dosud|jeste|stale)\b.{0,30}\bne(?:obdrzel|dostal|prise?l|"
    r"dorazil)\w*\b|"
    r"\bnemame? od (?:tebe|vas)\b",
    r"\byour (?:[\w']+ ){1,6}(?:is|are) (?:still |not yet |currently )?(?:blank|empty|missing|outstanding|overdue|incomplete|"
    r"unsigned|not (?:there|in|here|signed|filled in|complete)|nowhere to be found)\b",
    r"\b(?:i|we) (?:still |only )?have (?:had )?(?:nothing|nobody|no \w+|not a single \w+)\b.{0,30}\bfrom (?:you|your)\b|"
    r"\bvon (?:dir|ihnen|euch)\b.{0,40}\b(?:noch|bisher|bislang)\b.{0,20}\b(?:nichts|kein\w*|nicht)\b|"
    r"\bod (?:tebe|vas)\b.{0,40}\b(?:zatim|jeste|stale|porad)\b.{0,12}\bnem(?:am|ame)\b",
    r"\b(?:is|are) (?:still |also |urgently )?(?:required|needed|requested|awaited) (?:from|by|before|until|no later than)\b|"
    r"\b(?:wird|werden) (?:\w+ ){0,4}(?:benotigt|erbeten|gebraucht)\b|"
    r"\b(?:ist|sind) .{0,80}\b(?:vorzulegen|nachzureichen|einzureichen|beizubringen|beizufugen|zuruckzu(?:senden|schicken|geben)|"
    r"zu (?:ubersenden|ubermitteln|unterschreiben|erganzen))\b|"
    r"\bje (?:treba|nutne|potreba)(?: \w+){0,2} (?:dolozit|doplnit|dodat|predlozit|zaslat|poslat)\b",
    # Silence will be taken for a yes.
    r"\bunless (?:you|(?:i|we) hear|(?:i|we)'ve heard)\b|\b(?:wenn|sofern|falls) (?:ich|wir) (?:bis \w+ )?nichts\b.{0,20}\bhor|"
    r"\bes sei denn,? (?:du|sie|ihr)\b|\b(?:pokud|jestli) (?:se )?ne(?:ozve|napise|rekne|namitne)\w*\b",
    # Something is held until it is known, or taken for granted until it is denied.
    r"\b(?:on hold|waiting) (?:until|till)\b|\bhold(?:ing)? (?:it|this|them|off|the \w+) (?:back )?(?:until|till)\b|"
    r"\b(?:halten|stoppen) (?:wir|ich)\b.{0,40}\b(?:zuruck|bis)\b|\b(?:drzime|pozastavili jsme)\b",
    r"\b(?:i|we)(?:'m| am|'re| are) (?:assuming|presuming)\b|\b(?:i|we) (?:assume|presume|take it) (?:that |you|the|this|it|we)|"
    r"\b(?:gehe|gehen) (?:ich |wir )?davon aus,? dass (?:sie|du|ihr|die|der|das)\b|\bpredpoklada(?:m|me),? ze\b",
    # Something went wrong, and not for the first time.
    r"\b(?:for|is(?: now| already)?|that's(?: now| already)?) the (?:second|third|fourth|fifth|\w+th) time\b(?! (?:we|you)\b)|"
    r"\b(?:lost|losing|lose|run out of|running out of|no) (?:my |our |all |more )?patience\b|"
    r"\b(?:nobody|no one) (?:here |there )?(?:seems to|feels responsible|cares|takes responsibility)\b|"
    r"\bnot (?:acceptable|good enough|what (?:i|we)(?:'d| had)? (?:ordered|agreed|expected|asked for|paid for))\b",
    r"\b(?:zum|(?:jetzt|nun|schon|bereits) das) (?:zweiten?|dritten?|vierten?) mal\b|\bkein(?:erlei)? verstandnis\b|"
    r"\b(?:niemand|keiner)\b.{0,20}\b(?:zustandig|kummert|verantwortlich)\b|\bgeduld\b.{0,20}\b(?:ende|verloren)\b|"
    r"\bnicht (?:hinnehmbar|akzeptabel|hinnehmen)\b",
    r"\buz (?:podruhe|potreti|poctvrte)\b|\b(?:dosla|dochazi)\b.{0,12}\btrpelivost\b|\bnemam(?:e)? pochopeni\b|"
    r"\bnikdo (?:to )?(?:nereaguje|neresi|nereagoval|se neozval|neodpovida)\b|\bneni to prijatelne\b",
    # Something is not known to the writer.
    r"\b(?:i|we)(?:'m| am|'re| are| have|'ve)? (?:still |really |just )?(?:not (?:quite |really |entirely )?(?:sure|"
    r"certain|clear)|"
    r"unsure|unclear|no idea|don't know|do not know|can't (?:remember|recall|tell|work out)) (?:\w+ ){0,2}?(?:if|whether|what|"
    r"when|"
    r"where|which|who|how|why)\b(?! (?:i|we)(?:'ll| will| can| could|'m| am| are| have|'ve| feel)\b)",
    r"\bno(?:body| one)(?: here)?(?: has| seems to)? (?:(?:told|tells|tell) (?:me|us)|(?:said|says|know|knows) (?:if|whether|"
    r"what|when|"
    r"where|which|who|how|why))\b",
    r"\b(?:ich|wir) (?:weiss|wissen|bin|sind)(?: mir| uns)?(?: noch| leider)? nicht(?: sicher)?,? (?:ob|wann|wo|wie|wer|was|"
    r"welche\w*)\b",
    r"\bnevi(?:m|me)(?: \w+)?,? (?:jestli|zda|kdy|kde|kdo|kolik|jak|co|ktery\w*)\b",
    # Something would be welcome.
    r"\b(?:it|that|this)(?:'d| would) (?:really )?(?:help|be (?:a |of |very |really |so )?(?:help|useful|handy|good|great|"
    r"nice|helpful|"
    r"best|kind|interesting))(?: me| us)? (?:if|to (?:know|have|get|see|hear))\b|^would be (?:good|great|nice|useful|handy|"
    r"helpful) to "
    r"(?:know|have|get|see|hear)\b",
    r"\b(?:would|should|'d) be (?:\w+ )?(?:grateful|glad|pleased|obliged|thankful) (?:for|of|to (?:have|receive|get))\b|"
    r"^(?:i'd be |would be |most |very )*grateful for (?:a|an|any|some)\b",
    rf"\b(?:your|any) {_ASKING_NOUNS}\b.{{0,60}}\b(?:would be|are|is) (?:\w+ )?(?:welcome|appreciated|useful|helpful|valued)\b",
    r"\b(?:i|we)(?: was| were|'m| am|'re| are)? (?:hoping|hoped) (?:that )?(?:you|someone|somebody)\b|\b(?:maybe|perhaps) (?:you|"
    r"someone|somebody) (?:can|could|would|might)\b|^if you could\b",
    r"\bes ware (?:\w+ )?(?:gut|hilfreich|schon|nett|super|toll|prima|wichtig)\b|\bvielleicht (?:kannst|konntest|konnen|"
    r"konnten)\b",
    # The verb itself says that something is asked for.
    r"\b(?:i|we)(?: hereby| herewith| therefore| would| wish to| want to| have to| must| do| also|'d like to)* (?:request|"
    r"require|demand|"
    r"urge|seek(?! to\b)|apply for|appeal|petition|enquire|inquire|expect (?:your (?:reply|response|answer|decision|comments|"
    r"report)|an? (?:\w+ )?(?:reply|response|answer|explanation|decision)|you to))\b",
    r"\binvites? (?:your )?(?:comments|observations|views|nominations|applications|feedback|questions)\b",
    r"\b(?:ich|wir) (?:hiermit )?(?:beantrage|beantragen|fordere|fordern|ersuche|ersuchen|erwarte|erwarten)\b|"
    r"\bhiermit (?:beantrage|fordere|ersuche)n?\b",
    r"\bvyzyvam(?:e)?\b|\bocekavam(?:e)? (?:od|vas\w*|odpoved|vyjadreni)\b|\bobracim(?:e)? se na\b",
)
"""Statements that ask for something."""

_MAY_WE = r"(?:muzeme|muzu|(?:konnen|konnten|kann|konnte|durfen|durften|darf|durfte) (?:ich|wir|man))\b"

REQUEST = PhraseTable(
    # English: asking somebody to do something.
    r"\bask(?:s|ed)? that you\b|\bask for your (?:help|advice|support)\b|\blike from (?:you|each|all)\b|"
    r"\bstill waiting (?:for|on)\b|\b(?:it|that) would be (?:great|good|nice|helpful|lovely) if (?:the|your|he|she|they|any)\b",
    r"\b(?:can|could|would|will|won't|wouldn't) (?:you|u|each of you|all of you|one of you|someone|somebody|anyone|"
    r"y'all)\b(?! (?:be interested to (?:hear|learn|know)|believe|be surprised))",
    r"\b(?:please|pls|plz|plse|kindly)\b",
    r"\b(?:would|do) you mind\b|\bmind if\b|\b(?:is|are) you able to\b|\bare you able to\b|\b(?:is|"
    r"would) it (?:be )?(?:possible|ok|okay|all right|alright|feasible)\b|\bany chance\b",
    r"\b(?:let|tell|advise|inform) (?:me|us) (?:know|have|when|if|what|how|whether|where|which|who)\b|\blmk\b|"
    r"\bkeep (?:me|us) (?:posted|informed|updated)\b",
    _STRICT_LEAD + r"(?:can|could|may|should|shall|must) (?:i|we)\b",
    r"\b(?:i|we)(?:'d| would|'ll| will| do| also| really|) (?:appreciate|value|be (?:very |most |so |really )?(?:grateful|"
    r"thankful|obliged)|welcome) (?:it if|if|your (?:help|thoughts|comments|feedback|input|response|reply)|any|"
    r"a (?:\w+ )?(?:reply|response|call|chat|conversation|word))\b",
    r"\b(?:it|that) would be (?:great|good|nice|helpful|lovely|wonderful|appreciated|ideal|best) if (?:you|we|someone)\b|"
    r"\bwould be (?:grateful|appreciated)\b",
    r"\b(?:i|we)(?:'d| would|)? (?:need|want|like|require|expect|prefer|ask|urge|beg) (?:for )?(?:you|your|someone|somebody)\b",
    r"\b(?!we (?:\w+ )?need to (?:get|have|see|change) (?!(?:an?|our|your|some|more)\b))"  # a plan of all, no request
    r"(?:i|we) (?:\w+ )?(?:need|want) (?:the|a|an|my|our|to (?:get|have|see|receive|hear|book|order|cancel|change|talk|speak|"
    r"meet|discuss)|your|his|her|this|that|these|them|it|some|more|by|confirmation|approval|copies|help|info\w*)\b",
    r"\bwould be (?:so |really |very )?(?:good|great|lovely|nice) to (?:catch up|meet|see you|have you|hear)\b|"
    r"\b(?:(?:i|we)(?:'d| would)|and would) (?:like|love) to "
    r"(?:book|order|arrange|schedule|request|cancel|return|ask|discuss|speak|talk|meet|"
    r"see|get|have|change|invite|propose|reserve|buy|rent|join|apply|view|visit|hear|receive|make|set|sign|move|use|"
    r"come)\b",
    r"\b(?:waiting (?:for|on)|await(?:ing)?|looking for|need) (?:your|a) (?:reply|response|answer|approval|confirmation|"
    r"decision|comments|feedback|input|go-ahead|ok|signature|advice|guidance)\b",
    _LEAD + r"(?:just )?send (?:the|your|over)\b",
    _LEAD + r"(?:send|give|call|tell|show|remind|forward|fwd|email|e-mail|mail|text|bring|get|help|ping|cc|fax|page|"
    r"buzz) (?:me|us|him|her|them|it to|this to|that to|those to|over)\b",
    _LEAD + r"(?:check (?:with|on|if|whether|the|this|that|it)|confirm|review|sign|approve|fill (?:in|out)|make sure|"
    r"ensure|look (?:into|at|over)|take a look|have a look|see (?:if|whether) (?:you|we|he|she|they)|"
    r"get (?:back to|with|in touch)|follow up|find out|pick up|set up|sort (?:out|this)|verify|respond|reply|rsvp|"
    r"read (?:this|the attached|over|and)|"
    r"print|prepare|put (?:together|this|it|the|me)|add (?:me|him|her|this|the|them)|remove|update|change|fix|move|cancel|"
    r"book|schedule|arrange|handle|take care of|work with|coordinate|talk to|speak (?:to|with)|ask|return|note (?:your|"
    r"any)|don't forget)\b"
    r"(?! (?:is|was|are|were|has|had|of)\b)",
    r"\b(?:you(?:'ll| will)?|we(?:'ll| will)?) (?:need|have) to (?:send|sign|fill|call|confirm|provide|complete|return|"
    r"get|do|check|submit|decide|approve|give|pay|bring)\b|\byou (?:should|must) (?:send|sign|fill|call|confirm|provide|"
    r"complete|return|submit)\b",
    r"\brequest(?:ing)? (?:your|that you|you to|a (?:copy|call|meeting|quote))\b|\basking (?:you|for your)\b|"
    r"\bneed(?:s)? your\b|\bfor your (?:approval|signature|review|comments|input|decision)\b",
    r"\b(?:an? )?(?:answer|reply|response|word|yes|no|call back)\b.{0,60}\bwould (?:be (?:great|good|lovely|nice|helpful|"
    r"appreciated)|help)\b",
    r"\bmight i\b|\b(?:i|we)(?:'d| would)? (?:like to apply|hereby apply|wish to apply|am applying)\b|\bplease consider my\b",
    # To each one of a group.
    r"\b(?:each|all|every ?one|everybody|both) (?:of you )?(?:needs?|has|have|should|must) (?:to )?(?:send|tell|give|reply|"
    r"answer|respond|confirm|vote|sign|bring|choose|let|write|say|fill|submit|complete)\b|"
    r"\b(?:i|we)(?:'d| would|) (?:like|love|need|want|welcome|appreciate) (?:to (?:have|get|hear) )?"
    r"(?:everybody's|everyone's|all your|each (?:one's|person's))\b|"
    r"\b(?:i|we) (?:still |also |urgently )?(?:need|are (?:still )?(?:looking for|short of)) (?:one|two|three|four|five|six|\d+|"
    r"a few|another|at least|volunteers|helpers|drivers|someone|somebody)\b",
    _LEAD + r"(?:write|drop|shoot) (?:to )?(?:me|us)\b",
    r"\b(?:wir|ich) (?:suche|suchen|brauche|brauchen) (?:noch |dringend )?"
    r"(?:ein\w*|zwei|drei|vier|\d+|jemand\w*|helfer|freiwillige)\b|"
    r"\b(?:schreibt|meldet|gebt|sagt|tragt|schickt) (?:mir|uns|euch)\b|"
    r"^wer (?:kann|konnte|hat|mochte|will|kommt|ist dabei|macht)\b",
    r"\b(?:hledame|shanime|potrebujeme) (?:jeste )?(?:dva|tri|ctyri|\d+|nekoho|dobrovolni\w*|pomocni\w*)\b|"
    r"\b(?:hlaste|prihlaste|zapiste) se\b|^kdo (?:muze|by|ma|chce|prijde|pojede|pomuze)\b",
    # Czech.
    r"\b(?:muze(?:te|s)|nemuze(?:te|s)|mohl[ai]? by(?:ste|s)|mohl[ai]? bych|mohli by(?:chom|ste)|nemohl[ai]? by(?:ste|s)|"
    r"slo by|neslo by|bylo by (?:mozne|fajn|dobre|super)|je (?:mozne|mozno))\b",
    # "Damit können wir zur Bank" asks nothing: only the first word, or a question mark, makes it a question.
    _STRICT_LEAD + _MAY_WE,
    rf"\b{_MAY_WE}(?=.*\?)",
    r"\b(?:prosim|poprosim|prosila bych|prosil bych|poprosil[ai]? bych|prosime|zadam|zadame|prosba)\b",
    r"\b(?:poslete|posli|zaslete|zasli|dejte|dej|napiste|napis|ozvete|ozvi|zavolejte|zavolej|potvrdte|potvrd|podepiste|"
    r"podepis|vyplnte|reknete|rekni|doplnte|dopln|zkontrolujte|zkontroluj|"
    r"podivejte|podivej|koukni|kouknete|prineste|prines|vratte|vrat|zaridte|zarid|objednejte|objednej|odpovezte|odepis|"
    r"odepiste|privezte|pripravte|priprav|uvedte|sdelte|poradte|porad|pomozte|upravte|uprav|opravte|oprav)\b",
    r"\b(?:potrebuj(?:i|u|eme)|potreboval[ai]? (?:bych|bychom)|potrebovali bychom|chtel[ai]? bych(?:om)?|chteli bychom|"
    r"rada? bych|radi bychom|uvital[ai]? bych|ocenil[ai]? bych)\b|\bdat (?:mi |nam )?vedet\b|\bobjednavam(?:e)?\b",
    # German.
    r"\b(?:wurde|wurden) (?:ich|wir|man)\b|"
    r"\b(?:konnen|konnten|konntest|kannst|konntet|wurden|wurdest|durfte|durften|darf|kann|konnte|konnt) (?:sie|du|ihr|"
    r"mir|uns|jemand)\b",
    r"\bbitte\b(?! (?:schon|sehr|nicht antworten))|\b(?:ich|wir) (?:bitte|bitten|brauche|brauchen|brauchte|brauchten|"
    r"benotige|benotigen)\b|\b(?:brauche|brauchte|benotige)n? (?:ich|wir)\b(?! (?:\w+ ){0,3}(?:nicht|kein))|"
    r"\bwenn (?:sie|du|ihr) (?:mir|uns)\b.{0,80}\b(?:schick|send|zusend|nachreich|mitteil|nenn|gib|geb)\w*|"
    r"\b(?:ich|wir) (?:mochte|mochten|wurde|wurden|hatte|hatten) (?:\w+ ){0,3}gern\w*\b|"
    r"\bich mochte\b|\bwir mochten\b",
    r"\b(?:geben|gib|gebt|sagen|sag|sagt) (?:sie )?(?:mir|uns)\b.{0,30}\bbescheid\b|\bbescheid (?:geben|sagen)\b|"
    r"(?<!ich )(?<!wir )\b(?:schick\w*|sende\w*|ruf\w*|meld\w*|teil\w*) (?:sie )?(?:mir|uns|mich|dich|sich|es)\b|"
    r"\b(?:ware es|ist es|geht es) (?:\w+ )?moglich\b|\bware (?:schon|super|toll|nett|prima),? wenn\b",
    r"\bum (?:eine )?(?:\w+ )?(?:ruckmeldung|antwort|nachricht|ruckruf|bestatigung)\b|\bwird gebeten\b|"
    r"\bwurden? (?:ich mich|mich|wir uns|uns)\b.{0,20}\bfreuen\b|"
    r"\bhiermit bewerbe\b|\bbewerbe mich\b|^(?:hallo,? )?(?:brauche|brauchte|benotige)\b|\bfreue mich auf (?:ihre|"
    r"deine) (?:antwort|ruckmeldung)\b",
    # Spanish and French.
    r"\b(?:podrias?|puedes?|podrian|podriamos|podemos|seria posible|por favor|necesito|necesitamos|me gustaria|quisiera|"
    r"agradeceria|dime|digame|avis[ea]me|avisenos|confirm[ea]me|envi[ea]me|mand[ae]me)\b",
    r"\b(?:pourriez-vous|pouvez-vous|peux-tu|pourrais-tu|pourrait-on|peut-on|puis-je|serait-il possible|est-il possible|"
    r"auriez-vous|s'il (?:vous|te) plait|svp|stp|merci de|je voudrais|je souhaite\w*|j'aimerais|j'ai besoin|"
    r"nous aurions besoin|"
    r"dites-moi|dis-moi|tenez-moi|faites-moi|envoyez-moi|envoie-moi|veuillez)\b",
)

NOT_A_REQUEST = PhraseTable(
    # What the writer or somebody else does, or did.
    r"(?<!you )(?<!you')\b(?:ll|will) let (?:me|us|you) know\b|\b(?:they|he|she|who|it) (?:can|could|should|would) let "
    r"(?:me|us|you) know\b",
    r"^(?:i|we|he|she|they)(?:'ve| have| has|'d| had)? (?:already |also |then )?(?:told|asked|informed|reminded|wrote to) "
    r"(?!you\b)(?!.{0,200}\byou\b)",
    r"\b(?:we|i|they)(?:'ll| will| would|'d)? never (?:ask|request|require)\b",
    r"\b(?:ich|wir) (?:muss|mussen|soll|sollen|werde|werden|habe|haben|gebe|geben|sage|sagen)\b.{0,80}\bbescheid\b",
    r"\b(?:please|pls|kindly) (?:find|see (?:the )?(?:attached|below|enclosed)|note|be (?:advised|aware|informed|assured|"
    r"reminded)|do not (?:reply|respond|answer)|don't (?:reply|respond)|accept (?:my|our)|ignore|disregard|forgive|excuse|"
    r"join (?:me|us) in|keep in mind|remember|feel free|enjoy|welcome|pass on my|give my (?:best|love|regards)|say hi)\b",
    r"\b(?:aim|eager|hard|try|tried|trying|want|wants) to please\b|\b(?:can't|cannot|could not|couldn't) please\b|"
    r"^(?!please\b).{0,60}\b(?:i|we)\b.{0,60}\battach\w*\b.{0,40}\bfor your\b|"
    r"\b(?:like|want|allow me) to introduce\b(?!.{0,60}\?)|\b(?:mochte|mochten|darf|durfen)\b.{0,80}\bvorstellen\W*$|"
    r"\b(?:rada?|chtel[ai]?|radi|chteli) (?:bych(?:om)?) (?:\w+ ){0,2}predstavil[ai]?\b",
    r"\b(?:prosim|prosime) (?:neodpovidejte|nereagujte|nereaguj|omluv\w*|berte na vedomi|vezmete na vedomi|nezapom\w*|"
    r"ignoruj\w*)\b|\bv priloze\b.{0,40}\b(?:zasilam|posilam|najdete)\b",
    r"\bbitte (?:antworten sie nicht|nicht (?:auf|antworten)|beachten|entschuldig\w*|ignorier\w*)\b|\b(?:anbei|"
    r"im anhang) (?:finden|findest|sende|schicke|erhalten)\b",
    r"\bveuillez (?:trouver|agreer|recevoir|noter|croire|ne pas)\b|\bpor favor,? no (?:responda|conteste)\b",
    r"^(?:please|let me know|let us know)[.! ]*$|\blet me know if (?:that|this|it) (?:helps|makes sense)\b|"
    r"\bthank you for (?:your )?(?:letting|asking)\b|\b(?:if|when) (?:i|we) can (?:be of|help|assist)\b|"
    r"\bif (?:you (?:would|'d) )?(?:like|want) (?:me|us) to\b",
    r"\byou can (?:also |always )?(?:view|see|find|read|check|manage|change|update|download|log)\b",
)

_TIME_WORDS = (
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:mon|tue|tues|wed|thu|thur|thurs|fri)\b|\b(?:today|tomorrow|"
    r"tonight|tmrw|tmw|noon|this (?:morning|afternoon|evening|week|weekend)|next (?:week|month|mon|tue|wed|thu|fri)\w*)\b|"
    r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m|p\.m|o'clock|uhr|h)\b|\b\d{1,2}[:.]\d\d\b|\b(?:at|v|ve|um) \d{1,2}\b|"
    r"\b(?:pondel\w*|uter\w*|stred[auy]\w*|ctvrt(?:ek|ka|ku)|patek|patku|sobot\w+|nedel[ie]\w*|zitra|dnes|pozitri|"
    r"pristi tyden|tento tyden)\b|"
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|heute|ubermorgen|nachste woche|diese woche|"
    r"naechste woche)\w*\b|"
    r"\b(?:lunes|martes|miercoles|jueves|viernes|manana|lundi|mardi|mercredi|jeudi|vendredi|demain|aujourd'hui|"
    r"semaine prochaine|proxima semana)\b"
)
TIME = PhraseTable(_TIME_WORDS)
DUE = PhraseTable(
    rf"\b(?:by|before|until|no later than|do|bis|vor|nejpozdeji|spatestens) (?:the |next |end of )?(?:{_TIME_WORDS})"
)
"""When something is wanted by, which is no time to meet."""
MEET = PhraseTable(
    r"\b(?:meet|meets|meeting|get together|catch up|sit down|lunch|dinner|coffee|drinks?|beer|breakfast|call|chat|talk|"
    r"speak|discuss|visit|come (?:by|over|in)|stop by|drop by|swing by|appointment|interview|"
    r"resched\w+|postpone|move (?:it|this|that|the|our|to)|push (?:it|this|that|the|our)|slot|available|availability|free|"
    r"works?|work for|suits?|convenient|good for you|ok for you|okay for you|make it|viewing|session|lesson|"
    r"conference call|"
    r"how about|what about|let's|lets|would (?:you )?prefer|"
    r"schuzk\w*|sejit|sejdem\w*|setkat|setkan\w*|potkat|potkame|zavolat|zavolame|termin\w*|hodi|hodil\w*|vyhovuj\w*|"
    r"presun\w*|prelozit|cas|volno|obed\w*|kav[ua]|stavit|prijit|prijet|prohlidk\w*|pohovor\w*|"
    r"treffen|besprech\w*|besprechung|gesprach|telefon\w*|passt|passen|passend|zeit|termin\w*|verschieb\w*|verleg\w*|"
    r"kaffee|mittag\w*|vorbei\w*|besichtig\w*|"
    r"reunion\w*|reunir\w*|quedar|vernos|cita|disponible|conviene|rendez-vous|rencontr\w*|convient|dispo)\b"
)
PROPOSING = PhraseTable(
    r"\b(?:how|what) about\b|\b(?:let's|lets|let us|shall we|should we|can we|could we|can i|could i|may i|why don't we|"
    r"do you want to|do you wanna|want to|wanna|would you like to|would you be|are you|will you be|are we|fancy|up for|"
    r"feel like|care to|"
    r"i(?:'d| would)? (?:suggest|propose)|we (?:suggest|propose)|i(?:'d| would) like to|we(?:'d| would) like to|"
    r"i was (?:thinking|hoping))\b",
    r"\b(?:does|do|would|will|if|whether|is|are|when|what time|which (?:day|time)|what day)\b.{0,60}\b(?:works?|suits?|"
    r"free|available|convenient|good|ok|okay|fine|best|possible)\b",
    r"\b(?:resched\w+|postpone|move (?:it|this|that|the|our)|push (?:it|this|that|the|our)|make it|set (?:it )?up|"
    r"schedule|book|arrange)\b",
    r"\b(?:hodi|hodil[aoi]? by|vyhovuje|vyhovovalo by|slo by|co (?:takhle|tak|treba)|navrhuj\w*|sejdeme|muzeme|"
    r"mohli bychom|mate|mas|nemohli|nemuzeme|presunout|prelozit|chtel[ai]? bych|rada? bych|stihnete|stihnes|kdy)\b",
    r"\b(?:passt|passen|ginge|ware|konnen|konnten|konntest|kannst|wollen wir|sollen wir|haben sie|hast du|hatten sie|"
    r"hattest du|schlage|wie ware|wann|verschieben|verlegen)\b",
    r"\b(?:podemos|podriamos|te parece|le parece|que tal|estas|esta|tiene|tienes|pourrait-on|peut-on|pouvons-nous|"
    r"etes-vous|es-tu|seriez-vous|on peut|ca te|cela vous|vous convient)\b",
)
OFFERS_TIME = PhraseTable(
    r"\b(?:would|could|will|(?<=\w')d|might) (?:be (?:good|fine|great|ideal|possible|best|convenient|welcome)|suit|work|do)\b",
    r"\b(?:konnte|kann) (?:ich )?(?:ihnen|dir|euch)\b|\brege (?:ich )?an\b|\bschlage\b|\bbiete\b|\bwurde (?:mir |"
    r"uns )?passen\b",
    r"\b(?:vyhovoval\w*|hodil\w*|navrhuj\w*|nabiz\w*)\b",
)
"""Statements that offer a time."""
PLAN = PhraseTable(
    r"\bto be (?:set up|held|scheduled|arranged)\b|\b(?:am|are) (?:planning|going) to\b|"
    r"\b(?:will|is going to|are going to) (?:meet|be held|take place)\b"
)
"""Statements of what will be, which ask for no consent."""
ASKS_TIME = PhraseTable(
    r"\bwhen (?:would|could|can|are|is|do|might|works?|should|shall)\b.{0,60}\b(?:you|we|meet|call|free|available|suit|"
    r"works?|convenient|good|best)\b|\bwhat (?:time|times|day|days)\b.{0,50}\b(?:works?|suits?|free|available|good|best|"
    r"convenient|you)\b|"
    r"\b(?:your|you have any) availability\b|\btime (?:to (?:meet|talk|chat|call|discuss|speak)|for a (?:\w+ )?(?:call|"
    r"chat|meeting|coffee|lunch))\b|\b(?:set up|schedule|arrange|book|have|hop on|jump on|grab) (?:a|an|"
    r"some) (?:\w+ )?(?:call|meeting|time|chat|appointment|coffee|lunch|visit|viewing|session|slot)\b",
    r"\b(?:can|could|should|shall) we (?:meet|talk|speak|chat|move|reschedul\w*|postpone|push|get together|catch up)\b",
    r"\bkdy (?:by\w*|mate|mas|muzete|muzes|se|vam|ti)\b.{0,50}\b(?:hodi\w*|cas|sejit|sejdeme|vyhovuj\w*|setkat|prijit|stavit|"
    r"zavolat|volno)\b|\b(?:mate|mas|nasel|nasla|udelate|udelas)\b.{0,25}\bcas\b|\b(?:presunout|"
    r"prelozit) (?:\w+ ){0,3}(?:schuzku|termin|navstevu)\b|\bdomluvit (?:\w+ ){0,2}(?:schuzku|termin|setkani)\b",
    r"\bwann (?:passt|hatten|haben|konnten|konnen|ware|hast|kannst)\b|\b(?:einen )?termin (?:vereinbaren|ausmachen|"
    r"verschieben|verlegen)\b|\bzeit fur (?:ein|einen|eine)\b|\b(?:konnen|konnten|wollen) wir (?:uns|den|das|"
    r"telefonieren)\b.{0,40}\b(?:treffen|telefonieren|verschieben|verlegen|sprechen)\b",
    r"\bcuando (?:podemos|puedes|podria|tienes|tiene|le|te)\b|\bquand (?:pouvez|pourriez|peux|es|etes|seriez)\b|"
    r"\bfixer (?:un )?rendez-vous\b",
)

COMMITMENT = PhraseTable(
    r"\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to| promise(?: to)?|"
    r" can have)\b(?! (?:not|never|be (?:out|away|on (?:vacation|holiday|leave)|unable|in (?:the office|town))|miss|need|"
    r"also need|have to|appreciate|be (?:grateful|happy|glad)|see you|love|always|assume|admit|say)\b)"
    r"(?=.{0,120}\b(?:send|bring|call|write|reply|answer|get (?:back|it|this|that|you|with|them)|let (?:you|u) know|check|"
    r"find out|prepare|finish|fix|repair|pay|refund|order|deliver|ship|book|arrange|return|confirm|look (?:into|at)|"
    r"take care|forward|"
    r"follow up|update|review|sign|submit|provide|have (?:it|this|that|them|the)|do (?:it|this|that|so)|make (?:sure|it)|"
    r"talk (?:to|with)|email|e-mail|draft|put|set|work on|handle|give you|try|ask|be there|come|join|pick|start|complete|"
    r"keep you|add|drop|share|post|upload|revert|transfer|speak)\b)",
    r"\b(?:posilam|poslu|zaslu|dorucim|dodam|pripravim|ozvu se|zavolam|napisu|vratim|zaplatim|opravim|zaridim|dam (?:vam |"
    r"ti |vedet)|zjistim|overim|podivam se|domluvim|objednam|udelam|prinesu|privezu|dodelam|"
    r"posleme|zasleme|dodame|pripravime|ozveme se|zavolame|vratime|zaplatime|opravime|zaridime|dame (?:vam |ti |vedet)|"
    r"zjistime|overime|podivame se)\b",
    r"\b(?:ich|wir) (?:werde|werden|schicke|schicken|sende|senden|melde|melden|kummere|kummern|rufe|rufen|prufe|prufen|"
    r"erledige|bringe|gebe|geben|uberweise|uberweisen|klare|klaren|lasse)\b(?! (?:ihnen |dir )?(?:nicht|nie))",
    r"\b(?:le|te|os) (?:envio|enviare|mando|aviso|llamo|confirmo|llamare|avisare)\b|\bje (?:vous|te) (?:envoie|enverrai|"
    r"rappelle|rappellerai|confirme|tiens|transmets|ferai|recontacte)\b",
)
THANKS = PhraseTable(
    r"\b(?:thank you|thanks|thx|thnx|many thanks|appreciate (?:it|your|the|that|you)|grateful for|much appreciated|cheers|"
    r"congrat\w*|well done|great job|good job|nice work)\b",
    r"\b(?:dekuj\w*|dekuju|diky|dik|dikes|podekovan\w*|gratuluj\w*)\b|\b(?:danke|vielen dank|herzlichen dank|besten dank|"
    r"gluckwunsch)\b|\b(?:gracias|merci)\b(?! de\b)",
)
NOTICE = PhraseTable(
    r"\b(?:fyi|fyr|for your (?:information|records|reference|files)|for information only|"
    r"just (?:to )?(?:let(?:ting)? you know|so you know|a (?:heads|quick) (?:up|note|reminder)|a reminder|"
    r"wanted to (?:let|share|say))|heads[- ]up|"
    r"(?:this is )?to (?:inform|notify|let you know|advise)|no (?:need|action|reply|response|answer)(?: is)? (?:to|needed|"
    r"required|necessary)|no reply|nothing (?:to|for you to) do|please (?:find|note|be (?:advised|aware|informed))|"
    r"(?:attached|enclosed|below|here) (?:is|are|you)|(?:is|are) attached|reminder:|will be (?:closed|out|unavailable|down))\b",
    r"\b(?:na vedomi|pro informaci|pro vasi informaci|davam(?:e)? (?:vam |ti )?vedet|jen (?:abyste|abys) ved|informujeme|"
    r"oznamujeme|upozornujeme|v priloze|prilohou|neni treba (?:odpovidat|reagovat)|neodpovidejte|bereme na vedomi|"
    r"zasilam(?:e)?|posilam(?:e)?)\b",
    r"\b(?:zur (?:info|information|kenntnis)|nur zur|hiermit|anbei|im anhang|informieren wir|teilen wir|"
    r"wir mochten sie (?:daruber )?informieren|keine antwort (?:notig|erforderlich))\b",
    r"\b(?:para su informacion|le informamos|adjunto|pour (?:votre )?information|nous vous informons|ci-joint|"
    r"veuillez (?:trouver|noter))\b",
)
DECLINE = PhraseTable(
    r"\b(?:unfortunately|regret(?:fully)?|i'm afraid|i am afraid)\b.{0,100}\b(?:not|can't|cannot|won't|unable|no longer|"
    r"have to (?:cancel|decline|pass))\b|\b(?:i|we) (?:can't|cannot|can not|won't be able to|will not be able to|"
    r"am not able to|'m not able to) (?:make (?:it|that)|come|attend|join|accept|offer|help|do (?:it|this|that)|"
    r"participate)\b|"
    r"\b(?:have|need|going) to (?:decline|pass|cancel)\b|\b(?:no thanks|no thank you|not interested|decided (?:not to|"
    r"against|to go with)|i(?:'ll| will) pass|count me out)\b",
    r"\b(?:bohuzel|nanestesti)\b.{0,80}\b(?:ne\w+)\b|\b(?:nemuzu|nemohu|nemuzeme|nestihnu|nestihame|nedorazim|nemam zajem|"
    r"nemame zajem|odmitam|musim odmitnout|musim zrusit)\b",
    r"\bleider\b.{0,80}\b(?:nicht|kein\w*|nie)\b|\b(?:kein interesse|absagen|ablehnen|nicht kommen|nicht teilnehmen)\b|"
    r"\blamentablemente\b|"
    r"\bmalheureusement\b|\bno me interesa\b|\bpas interesse\b",
)

ACCEPTS = PhraseTable(
    r"^(?:yes|yep|yeah|ok|okay|sure|great|perfect|fine|agreed|ano|jo|dobre|platne|souhlasim|ja|gut|gerne|einverstanden|si|vale|"
    r"oui|d'accord|parfait)\b(?!.{0,80}\b(?:but|or|however|instead|ale|nebo|aber|oder|pero|mais|ou)\b)",
    r"\b(?:sounds|that|it|both) (?:good|great|fine|perfect|works|will work|suits) ?(?:for|to|with)? ?(?:me|us|you)?[.! ]*$",
)
"""Statements that agree to a time and ask for none."""

OFFERS_WARES = PhraseTable(
    r"\b(?:can|could|may|might|shall|should) (?:i|we) (?:\w+ )?(?:show|send|share|tell|offer|call|walk|interest|introduce|hold|"
    r"explain|demonstrate|give)\b|\b(?:would|are) you (?:be )?(?:\w+ )?(?:interested|open to|up for)\b|\byour interest\b|"
    r"^mind if (?:i|we) (?:\w+ )?(?:send|show|share|tell|call)\b|"
    r"^(?:are you )?interested(?: in (?:hearing|learning|knowing|seeing|more|a|an|the)\b.{0,40})?\W*$|"
    r"^reply (?:with )?\W?(?:no|stop)\b|\bwould you like (?:the|a|an|some|more|to (?:see|hear|learn|know|try))\b|"
    r"\bmay i tell you\b|"
    r"\b(?:worth|spare) (?:a|an|\d+|ten|fifteen|twenty|thirty)? ?(?:short|quick|brief)? ?(?:-?min\w*|call|chat|look)\b",
    r"\b(?:mohu|muzu|mohl[ai]? bych|smim|muzeme) (?:vam|vas)\b|\b(?:mel[ai]? byste|mate) (?:\w+ )?zajem\b",
    r"\b(?:darf|durfte|durfen|kann|konnte) (?:ich|wir) (?:ihnen|sie)\b|\b(?:haben|hatten) sie interesse\b|\bpasst es\b",
)
"""Questions of somebody who has something to offer."""

SELLS = PhraseTable(
    r"\b(?:companies|firms|business(?:es)?|teams|agencies|practices|shops|stores|clinics|schools|landlords|owners|"
    r"organi[sz]ations) (?:like (?:yours?|you)\b|(?:of|in) (?:your|that|this) (?:size|industry|sector))|"
    r"\bour (?:customers|clients|users) (?:\w+ ){0,3}(?:save[ds]?|cut|see|trust|use|love|report|gain|gr[eo]w)\b|"
    r"\b(?:i|we)(?:'ve| have)?(?: just| recently)? (?:helped|saved|doubled) (?:an?|over|more than|[\d,]+) ",
    r"\bunsere kunden\b.{0,60}\b(?:spar\w*|gespart|nutzen|vertrauen|schatzen)\b|"
    r"\b(?:unternehmen|betriebe\w*|\w*buros|praxen|firmen|kanzleien|laden|schulen) (?:wie (?:ihr\w*|sie)|(?:in )?ihrer grosse)\b",
    r"\bnasi (?:klienti|zakaznici)\b.{0,60}\b(?:usetri\w*|vyuziva\w*|chvali)\b|"
    r"\b(?:firm\w*|spolecnost\w*|podnik\w*) (?:jako (?:je )?(?:ta )?vas\w*|vasi velikosti)\b|"
    r"\bspolupracujeme (?:s|se) (?:vice nez )?\d+",
)
"""What a seller says of customers like the reader."""

ASKS_TO_PAY = PhraseTable(
    r"\b(?:please|kindly) (?:pay|transfer|remit|settle|make (?:the |your |a )?payment|arrange (?:for )?payment)\b|"
    r"\bpayment (?:is )?(?:due|requested)\b|\b(?:uhradte|zaplatte|prevedte|doplatte|poukazte)\b|"
    r"\bprosim(?:e)? o (?:uhradu|zaplaceni|platbu)\b|"
    r"\b(?:uberweisen|(?:be)?zahlen|begleichen|entrichten) sie\b|\bbitte\b.{0,120}\b(?:zu )?(?:uberweisen|zahlen|begleichen)\W*$|"
    r"\bbitten?\b.{0,20}\bum (?:\w+(?:e|en|er|ie) ){0,2}(?:ausgleich|begleichung|zahlung|uberweisung)\b|"
    r"\b(?:abone|pague|transfiera) |\bveuillez (?:payer|regler|virer)\b"
)
"""Requests that a payment answers, and no mail."""

WANTS_WORD = PhraseTable(
    r"\b(?:let (?:me|us|him|her|them) (?:know|have)|lmk|repl(?:y|ies|ying)|respond|response|rsvp|answer|get back|vote|voting|"
    r"confirm|volunteer\w*|sign up|thoughts|comments|feedback|input|suggestions|objections|availability|opinions?|"
    r"advise|a yes|yes or no|thumbs|approval|approve|who (?:can|could|will|wants|is)|"
    r"(?:tell|send|give|write|call|text|e-?mail|forward|bring|show|drop|shoot)(?: to| over)? (?:me|us)|"
    r"send (?:your|the|in|over|a)|write to|(?:can|could|will|would) (?:any|some)(?:one|body)|(?:i|we) (?:\w+ )?need|"
    r"come (?:to|see) (?:me|us))\b",
    r"\b(?:dejte|dej|napiste|napis|ozvete|ozvi|odpovezte|odepiste|potvrdte|poslete|posli|zaslete|reknete|vyjadrete|hlasujte|"
    r"(?:pri)?hlaste|navrhnete|sdelte|zavolejte|kdo|hledame|shanime|potrebujeme|vedet|zpet)\b|"
    r"\b(?:bescheid|ruckmeldung\w*|antwort\w*|ruckruf|bestatig\w*|meldet|melden|schreibt|schickt|schicken|sendet|senden|gebt|"
    r"sagt|tragt euch|zusag\w*|absag\w*|wer|vorschlag\w*|meinung\w*|anmeld\w*|abstimm\w*|(?:ich|wir) (?:suche\w*|brauche\w*))\b",
    r"\b(?:respond\w*|confirm\w*|avis\w*|envi\w*|repond\w*|envoy\w*|dites|quien|qui)\b",
)
"""Requests of a group that are answered by a word or something sent, and not by a deed alone."""

ACTS = PhraseTable(REQUEST, INDIRECT, TIME, DUE, OPEN_QUESTION, COMMITMENT, DECLINE, NOTICE, THANKS)
"""A sentence without a question mark and without any of these phrases is no act."""

NOT_ASKED = PhraseTable(
    # Questions nobody is meant to answer.
    r"^(?:right|ok|okay|isn't it|really|huh|what|why not|who knows|you know|see|remember|got it|no|yes|questions|"
    r"any questions|need help|trouble viewing (?:this|the) (?:e-?mail|message)|"
    r"(?:can't|cannot|unable to|having trouble) (?:see|view|read).{0,40}|not you|wasn't (?:this )?you|didn't (?:request|"
    r"make|do|ask).{0,40}|not (?:interested|your).{0,40}|don't (?:want|recogni[sz]e).{0,60}|"
    r"forgot.{0,20}password|no longer (?:want|wish).{0,50}|was this (?:e-?mail|message|helpful).{0,30}|why (?:did|"
    r"am) i (?:get|receiv)\w*.{0,40}|ready to .{0,40}|looking for .{0,60}|want (?:more|to (?:learn|know|save|see)).{0,50}|"
    r"did you know.{0,80})\?+$"
)
BY_WHEN = re.compile(
    r"\b(?:by|before|until|till|no later than|not later than|latest|due|deadline|within|bis|spatestens|vor|do|nejpozdeji|"
    r"avant|antes de|para el)\b[^.?!]{0,40}|"
    r"\b(?:asap|a\.s\.a\.p|as soon as possible|today|tomorrow|tonight|eod|cob|end of (?:the )?(?:day|week|business|month)|"
    r"urgent(?:ly)?|immediately|right away|co nejdrive|dnes|zitra|ihned|so bald wie moglich|schnellstmoglich|heute|"
    r"this (?:morning|afternoon|evening|week))\b"
)
DAY_WORD = re.compile(
    rf"{_TIME_WORDS}|\bend of\b|\beod\b|\bcob\b|\bkonc\w+ (?:tydne|mesice)|\bende (?:der|des)\b|"
    rf"\b(?:hours?|days?|weeks?|dnu|dni|hodin|tagen?|stunden|wochen?)\b|\d+\.?|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|"
    r"aug|sept?|oct|nov|dec|"
    r"ledna|unora|brezna|dubna|kvetna|cervna|cervence|srpna|zari|rijna|listopadu|prosince|"
    r"januar|februar|marz|mai|juni|juli|oktober|dezember)\b"
)

EVERYBODY = frozenset(
    (
        "all", "everyone", "everybody", "team", "folks", "guys", "both", "gang", "colleagues", "friends", "people", "vsichni",
        "vsem", "kolegove", "tyme", "alle", "zusammen", "kollegen", "kolleginnen", "todos", "equipo", "tous", "toutes",
    )
)  # fmt: skip
"""Words that address all readers."""
