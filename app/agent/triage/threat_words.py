"""What phishing says, by words in one sentence or mail, folded, in five languages, and hosts where anybody has pages."""

import re
import tomllib
from collections.abc import Sequence
from itertools import islice

from app.config.paths import resource
from app.domain.language.words import WORD, Language, PhraseTable, fold, language, words

_TABLES = tomllib.loads(resource("judgement", "phishing.toml").read_text(encoding="utf-8"))
DEEDS, DATA, LOSSES, HELD, HOSTS_OF_ANYBODY, SHARERS = (
    frozenset(_TABLES[name].split()) for name in ("deeds", "data", "losses", "held", "hosts_of_anybody", "sharers")
)

DEED_STEMS = PhraseTable(
    r"confirm|verif|updat|renew|acknowledg|re-?activ|re-?valid|re-?regist|re-?sync|import|migrat|release|reschedul|"
    r"complet|listen|scan\b|go through|look at|have a look|tell us|add (?:it|the|your)|choose|"
    r"potvr|over(?:te|it|en)|aktualiz|prodluz|obnov|prihla|dopln|doplat|uhra|zaplat|naskenuj|vyzved|zadej|zadat|vypln|otevr|"
    r"bestatig|aktualisier|erneuer|erganz|aktivier|verifizier|anmeld|melden sie|offne|scannen|hinterleg|freischalt|prufen|"
    r"actualiz|actualic|verifi|confirm|pague|pagar|acced|inici|rellen|regulari|identifi|mettez|renseign|validez|valider|"
    r"regl|payez|payer|consult|ouvr"
)
DATA_STEMS = PhraseTable(
    r"account|mailbox|e-?mail|password|card|bank|parcel|shipment|delivery|item\b|depot|duty|customs|letter|bonus|salary|"
    r"payroll|wallet|membership|subscription|voice|message|document|file\b|access|session|sign-?on|registration|security|"
    r"authenticator|address|house number|direct debit|lastschrift|inkas|domicilia|"
    r"schrank|uct|kont[oau]|hesl|udaj|kart|zasil|balik|adres|predplat|pojist|prepl|nedopl|vyplat|mzd|dokument|podpis|pristup|"
    r"identit|"
    r"postfach|konto|zugang|kennwort|passwort|karte|sendung|paket|anschrift|adresse|registrier|verfahren|gehalt|dokument|"
    r"mitgliedschaft|abonnement|zahlungs|server|"
    r"buzon|cuenta|contrasen|tarjeta|paquete|direccion|tasas|messagerie|compte|colis|adresse|carte|acces\b|dossier|acte\b"
)
"""Beginnings of such words, for forms that the lists leave out."""

ACCOUNT = PhraseTable(
    r"account(?!an|ing)|iban|bank(?!ing)|konto|kontos|uc(?:et|tu|ty|tem)\b|bankverbindung|compte|rib\b|cuenta|direct deposit"
)
CHANGED = PhraseTable(
    r"new\b|newly|chang|switch|updat|other|another|different|instead|no longer|subsidiar|closed|clos|from now|temporar|"
    r"below|following|merger|folgende|nize|nasleduj|suivant|siguiente|"
    r"neu|ander|geander|gewechselt|nicht mehr|statt|ab sofort|nur noch|tochter|"
    r"nov|jin|zmen|zrus|rusim|misto|dosavadn|nuev|cambi|otr[ao]|nouve|chang|autre|filiale|n'est plus"
)
PAYS = PhraseTable(
    r"pay|transfer|send|settle|wire|remit|invoice|salary|wages|uberweis|zahl|rechnung|gehalt|lohn|"
    r"plat(?!n|c[ei])|posl|posil|uhrad|preved|faktur|mzd|vyplat|pag[aou]|transf|factura|nomina|regl|vir|vers|factur|salaire"
)
"""Words that together ask to pay to another account than usual."""

TRANSFER = PhraseTable(
    r"pay (?:an?|the|this|my) |(?:zaplatit|uhradit) (?:\w+ )?(?:faktur|najem|ucet)|"
    r"(?:rechnung|miete) (?:\w+ )?(?:zahlen|bezahlen)|"
    r"(?:send|lend|poslat|posli|posles|poslete|pujcit|schick\w*|leih\w*|envia\w*|envoye\w*) (?:\w+ ){0,2}[\d., ]+"
    r"(?:kc|eur|€|usd|gbp)|"
    r"transfer|wire|payment|deposit\b|uberweis|zahlung|anzahlung|platb|prevod|prevest|transferenci|pago|virement|paiement"
)
AT_ONCE = PhraseTable(
    r"today|tonight|right now|urgent|immediate|at once|before (?:noon|lunch|\d|the (?:market|bank|end|close))|"
    r"this (?:morning|afternoon)|how soon|quickly|"
    r"heute|sofort|umgehend|dringend|dnes|hned|ihned|obratem|nejpozdeji|hoy|ahora|cuanto antes|antes de|"
    r"aujourd|maintenant|avant (?:ce|midi)|au plus vite"
)
CARDS = PhraseTable(
    r"(?:gift |prepaid )?cards?\b|vouchers?|itunes|google.?play|steam|poukaz|darkov|kart[ayu]\b|gutschein|geschenk|"
    r"\w*-?karten|tarjetas?|cartes?\b"
)
CODES = PhraseTable(
    r"codes?\b|numbers\b|photos?\b|pictures?\b|scratch|kod[yu]?\b|fotk|vyfot|rubbel|fotos?\b|bilder|codigos?\b|photos?\b"
)
SENDS = PhraseTable(r"send|text me|e-?mail|posl|schick|send(?:en|e)\b|envia|mand|envo|adress")
"""Words that together ask for the codes of gift cards."""

UNREACHABLE = PhraseTable(
    r"(?:can'?t|cannot|can not|unable to) (?:leave|talk|speak|call|pick|answer|take|be reached)|"
    r"(?:do not|don't|please don't|not to) (?:call|ring|phone|discuss|mention|tell)|not discuss|stays? between|between us|"
    r"(?:reply|answer|write|respond)(?: to me)? (?:here|only|just)|only (?:here|by e-?mail|this address)|"
    r"no calls|in (?:a|the) (?:\w+ )?(?:meeting|conference)|(?:am|is|currently) abroad|im ausland|v zahranici|en el extranjero|"
    r"a l'etranger|e-?mail only|out of order|(?:my|a) (?:new|other) (?:number|phone)|phone (?:is |has )?"
    r"(?:broke|dead|smashed|died)|lost my phone|\bruf\w* (?:\w+ ){0,3}nicht an\b|"
    r"\b(?:phone|mobile|handy|telefon|mobil|telefono|movil|portable)\b (?:\w+ ){0,4}"
    r"(?:water|stolen|lost|wasser|gestohlen|utop|vod[ye]\b|ukrad|ztrat|agua|robad|perdid|vole|eau\b)|"
    r"(?:handy|telefon) (?:ist )?(?:kaputt|verloren|weg)|neue (?:handy)?nummer|(?:mobil|telefon) (?:se )?(?:mi )?(?:se )?rozbi|"
    r"z (?:noveho|jineho) (?:mailu|cisla)|nove cislo|nuevo numero|telefono roto|nouveau numero|telephone (?:est )?casse|"
    r"(?:sitze|bin|stecke) (?:gerade |noch )?(?:in|im) |nicht (?:anrufen|erreichbar|telefonier)|nur (?:hier|per mail|per e-mail)|"
    r"(?<!l )(?<!la )jsem (?:ted |prave )?(?:na|v) |(?<!li )jsme na |nemam u sebe|nevol|nerikej|"
    r"(?:pis|piste|odpovidejte|odepiste) (?:mi )?(?:jen|pouze)|"
    r"estoy (?:en|con) |no (?:me )?llame|no puedo (?:hablar|atender)|solo por|"
    r"je suis en |ne (?:m'appel|peux)|uniquement (?:ici|par)|"
    r"(?:only (?:have|got)|from|using) my (?:private|personal) (?:e-?mail|mail|address|account)|"
    r"nur (?:an )?meine? (?:private|personliche)\w* (?:e-?mail|mail|adresse)|"
    r"(?:jen|pouze|ze) (?:na |svuj |sveho )?(?:soukrom|osobn)\w+ (?:e-?mail|mail|adres)"
)
"""Why one should ask nobody and not call back."""

OWN_LOGIN = PhraseTable(
    r"(?:work|company|school|university|office|corporate|business|staff) (?:e-?mail|account|login|password|credentials)|"
    r"(?:log|sign|signing|logging)(?: ?in)?,? with (?:your|an?|the) e-?mail|"
    r"(?:microsoft|google|outlook|office 365)(?: or \w+)? (?:login|credentials)|"
    r"mit (?:ihrem|deinem) e-?mail-?(?:passwort|kennwort|konto)|heslem k e-?mailu|"
    r"e-?mail (?:password|account|provider|login)|"
    r"(?:firemnim|univerzitnim|skolnim|pracovnim) (?:hesl|uct|e-?mail)|"
    r"(?:geschaftlich|dienstlich|beruflich)\w* (?:e-?mail|konto|zugang|passwort|kennwort)|prihlaste se (?:e-?mail|svym e-?mail)|"
    r"mit (?:ihrem|deinem|dem) (?:e-?mail|firmen|dienst|windows|uni|praxis)|"
    r"con su (?:correo|cuenta de (?:correo|empresa))|avec votre (?:e-?mail|compte (?:professionnel|messagerie)|messagerie)"
)
"""A login that only the owner's own firm or mail provider has business with."""

FEE = PhraseTable(r"fees?\b|charges?\b|\w*gebuhr\w*|poplat\w+|frais\b|tasas?\b|gastos\b")
BEFOREHAND = PhraseTable(
    r"before\b|first\b|in advance|upfront|up front|vor (?:der|die)|vorab|zuerst|pred\b|predem|nejdrive|avant|antes"
)
WINNINGS = PhraseTable(
    r"pay-?out|paid out|award|grant\b|prize|winnings|inheritance|loan\b|release|credited|auszahl|gewinn|forderung|kredit|erb\w+|"
    r"vyplat|vyhr|dotac|pujck|versement|gain\b|heritage|premio|herencia|subvenci|ayuda"
)
"""Words that together ask for a fee before money is paid out."""

GIFTS = PhraseTable(
    r"gift ?cards?|vouchers?|itunes|google.?play|steam cards?|darkov\w* (?:kar|pouk)|poukaz|gutschein|geschenkkart|"
    r"tarjetas? (?:de )?regalo|cartes? cadeau"
)
BUYS = PhraseTable(r"buy|get|purchase|pick|besorg|kauf|hol(?:en|st)|koup|kupt|sezen|sehn|compr|achet|prendre")
LENDS = PhraseTable(
    r"lend|loan|borrow|advance|send|pay\b|transfer|wire|auslegen|leih|vorstreck|borg|uberweis|schick|pujc|pos(?:lat|li|lete)\b|"
    r"zaplat|prest(?:ar|ame)|pret(?:er|e)\b|envi|avanc"
)
AMOUNT = re.compile(r"[$€£] ?\d|\d[\d .,]* ?(?:€|eur|kc|czk|usd|gbp|pounds|dollars)")
PAYS_BACK = PhraseTable(
    r"reimburs|repay|refund you|(?:pay|give|send) (?:you|it)(?: all)? (?:\w+ )?back|"
    r"(?:hast|bekommst|kriegst|gebe|zahle|uberweise) (?:\w+ ){0,4}(?:zuruck|wieder)|zuruck(?:zahl|uberweis)|erstatte|"
    r"vrat(?:im|it)|vyrovnam|vyuctuj|(?:lo|la) devuel|rembours"
)
EXCUSES = PhraseTable(
    r"(?:am|i'm|are|we're) (?:\w+ )?(?:away|travell?ing|abroad|stuck|stranded|in hospital)|can'?t (?:do|get|access|go|log|reach)|"
    r"card (?:\w+ )?(?:\w+ )?(?:playing|working|blocked|declined)|stolen|robbed|(?:old|lost my) (?:phone|wallet)|voice is|"
    r"(?:klinik|krankenhaus|flughafen)|fest\b|gestohlen|geklaut|komme nicht (?:an|in)\b|nemuzu (?:\w+ ){0,2}do (?:bank|uct)|"
    r"ukradl|okradl|nemocnic|uvizl|nepusti|ztratil|"
    r"hospital|robaron|perdi|vole\b|bloque"
)
"""Words that together ask for money in the name of a friend or a boss who cannot be called."""

PRETEXTS = PhraseTable(
    r"audit|under review|frozen|froze|blocked|on hold|inspection|gesperrt|prufung|wirtschaftspruf|eingefroren|"
    r"blokovan|zablokovan|kontrol|obstaven|bloquead|revision|bloque"
)
"""Why an account cannot be used, which thieves say and firms do not."""

CHECKS = PhraseTable(
    r"(?:call|ring|ask|phone) (?:me|us|your|our)\b|(?:letter|schreiben|brief|dopis|potvrzeni banky)\b|am telefon|rufen sie|"
    r"(?:za)?volejte|zavolat|per post|by post|confirm (?:this|it) by phone"
)
"""How a firm lets one check a new account. Thieves want no call."""

ENABLES = PhraseTable(
    r"enable (?:the )?(?:content|editing|macros)|aktivier\w* (?:\w+ ){0,5}(?:inhalt|bearbeit|makro)|"
    r"(?:inhalte?|bearbeitung|makros) (?:\w+ )?aktivier|povol\w* (?:\w+ )?(?:obsah|uprav|makr)|"
    r"(?:run|execute|start|install|launch|spust\w*|nainstaluj\w*|starte\w*|fuhr\w*) (?:\w+ ){0,3}"
    r"[\w-]+\.(?:exe|msi|scr|bat|iso)\b|"
    r"habilit\w+ (?:\w+ )?(?:contenido|edicion|macros)|activ\w+ (?:\w+ )?(?:contenu|macros)"
)
BAITS = PhraseTable(
    r"(?:is|was) (?:this|that) (?:really )?you\b|you in (?:this|that|the) (?:video|photo|picture)|bist du das|bist das du|"
    r"jsi to ty|to jsi ty|eres tu|c'est toi"
)
NOTES = PhraseTable(
    r"(?:note|message) (?:from|to) |seller'?s? note|money request|invoice from|zahlungsanforderung|nachricht (?:von|des)|"
    r"(?:poznamka|zprava) (?:od|pro)|nota de|note de"
)
"""What a payment service passes on from anybody."""

IBAN = re.compile(r"\b([A-Z]{2})\d{2}(?: ?[A-Z0-9]{4}){3,}")
_COUNTRIES = {
    "de": "DE", "at": "AT", "ch": "CH", "cz": "CZ", "sk": "SK", "uk": "GB", "fr": "FR", "es": "ES", "it": "IT", "nl": "NL",
    "pl": "PL", "be": "BE", "pt": "PT", "ie": "IE",
}  # fmt: skip
_SPOKEN = {Language.DE: {"DE", "AT", "CH", "LI", "LU"}, Language.CS: {"CZ", "SK"}}

SALARIES = PhraseTable(
    r"my (?:salary|pay\b|wages|payroll)|direct deposit|mein(?:em|es)? (?:gehalt|lohn)|(?:moji|mou|svou) (?:mzdu|vyplatu)|"
    r"(?:vyplatu|mzdu) (?:mi|na|posil)|mi nomina|mon salaire"
)
OVERPAID = PhraseTable(
    r"extra|overpa|difference|balance|rest\b|surplus|mehr|uberzahl|differenz|rozdil|navic|preplat|diferencia|trop"
)
"""With a courier and a payment: the victim is to pass on money that never came."""

_SMALL_SUM = re.compile(
    r"(?:pay|zahl|bezahl|uhrad|zaplat|doplat|begleich)\w*[^.!?]{0,60}?"
    r"(?:[€£$] ?\d{1,2}(?:[.,]\d\d)?\b|\b\d{1,2}[.,]\d\d\b|\b\d\d kc)"
)
_DELIVERS = PhraseTable(r"deliver|redeliver|parcel|customs|shipment|zustell|sendung|paket|zoll|doruc|zasil|balik|clo\b|celni")

COURIER = PhraseTable(r"courier|shipping agent|mover|kuryr|dopravc|kurier|spedit|mensajer|coursier|transporteur")
RETURNED = PhraseTable(
    r"refund|returned|(?:get|have) (?:it|your money) back|zuruck|vrat(?:i|im|ime)\b|vracen|rembours|devuel|devolv|reembols"
)
"""Said of a sum that is to be paid first."""

LEFTOVER = PhraseTable(
    r"(?:forward|send|transfer|pass) (?:on )?the (?:rest|balance|remainder|difference)|keep (?:[€$£]|eur|usd|gbp|\d)|"
    r"den rest (?:\w+ ){0,4}(?:weiter|uberweis|send|schick)|zbytek (?:\w+ ){0,3}(?:pos|preved|preposl)|"
    r"(?:envi|transfier)\w* el resto|(?:envoy|transfer|vir)\w* le reste"
)
"""A sum of which one is to keep a part and pass on the rest."""

TITLES = PhraseTable(
    r"(?:managing |executive |general )?director\b|ceo\b|cfo\b|chief \w+ officer|president\b|head ?(?:teacher|master)|"
    r"principal\b|dean\b|geschaftsfuhr|vorstand|schulleit|jednatel|reditel|predseda|directeur|directrice|directora?\b|gerente"
)
ERRANDS = PhraseTable(
    r"(?:need|want|have) (?:you to )?(?:something (?:done|handled)|a task|an errand|a (?:quick |small )?favou?r)|"
    r"quick (?:task|favou?r|errand)|text me (?:on|at)|your (?:\w+ )?(?:whatsapp|cell|mobile)|"
    r"(?:kleinen|schnellen|kurzen) (?:gefallen|auftrag)|(?:ihre|deine) (?:handynummer|whatsapp)|"
    r"(?:drobn|rychl|mal)\w* (?:ukol|laskavost)|(?:vase|tvoje|tve) (?:cislo|telefonni|whatsapp)|"
    r"un (?:pequeno )?favor|su (?:numero|movil|whatsapp)|un (?:petit )?service|votre (?:numero|portable|whatsapp)"
)
"""What a false boss begins with: an errand that is not named, or another channel."""

KEYS = PhraseTable(r"keys?\b|schlussel|klic(?:e|ky)?\b|llaves|cles\b")
ESCROW = PhraseTable(
    r"courier|airbnb|booking\.com|escrow|treuhand|by (?:post|mail|dhl|ups|fedex)|kuryr|zprostredkovatel|"
    r"per post|kurier|mensajer|coursier|intermedia"
)
DEPOSITS = PhraseTable(r"deposit|kaution|kauc|fianza|caution|first month|erste miete|prvni najem")
"""Words of one who lets a flat that cannot be seen: the keys come once the deposit is paid."""

PROOF = PhraseTable(
    r"(?:send|share|forward|email|provide) (?:\w+ ){0,4}(?:swift|proof|slip|remittance|"
    r"(?:payment|bank|transfer) (?:receipt|confirmation))|"
    r"(?:zahlungs|uberweisungs|einzahlungs)(?:beleg|nachweis|bestatigung)|"
    r"potvrd\w* (?:\w+ ){0,3}(?:odeslan|zaplacen|proveden)|potvrzeni o (?:platbe|uhrade|prevodu)|"
    r"justificante|comprobante|(?:preuve|justificatif|avis) d[eu] (?:paiement|virement)"
)
"""Wants to see that the money has left."""

_ABOUT_ONESELF = tuple(
    re.compile(rf"\b(?:{one})")
    for one in (
        r"full names?|your names?|user ?names?|vollstandig\w* name|ihr(?:en)? name|cele jmeno|jmeno a|nombre|nom\b|noms\b",
        r"(?:home|full|postal|mailing|your) address|anschrift|(?:ihre|deine) adresse|adres[au]|bydliste|direccion|domicil",
        r"(?:phone|mobile|cell|telephone|whatsapp) (?:number|no)|telefonn?\w*|handynummer|telefono|numero de telephone",
        r"date of birth|birth ?date|dob\b|geburtsdatum|datum narozeni|rodne cislo|fecha de nacimiento|date de naissance",
        r"bank (?:details|account|name|data|and)|account number|iban|bankverbindung|kontonummer|bankdaten|cislo uctu|bankovn|"
        r"datos bancarios|coordonnees bancaires|rib\b",
        r"card number|expiry|cvv|kartennummer|ablaufdatum|cislo karty|platnost karty|numero de tarjeta|caducidad|numero de carte",
        r"(?:your|of|a copy of) (?:id\b|identity)|passports?|id card|driver|ausweis\w*|reisepass|obcansk\w*|pasu?\b|dni\b|"
        r"pasaporte|passeport|carte d'identite",
        r"passwords?|passwort|kennwort|heslo|contrasena|mot de passe|pin\b",
        r"(?:alternat\w+|private|personal|other) e-?mail|soukromy e-?mail|correo alternativo|autre e-?mail",
        r"department|occupation|marital|next of kin|beruf|povolani|profesion|profession",
    )
)
_MANY = 3
_GIVES = PhraseTable(
    r"send|reply|provide|return|fill|submit|give|include|need your|schick|send|antwort|angabe|ubermitt|posl|zasl|odpov|"
    r"vypln|uvedte|envi|respond|rellen|facilit|envoy|repond|rempl|communiqu"
)

QR = PhraseTable(r"qr\b|qr-")
SCANS = PhraseTable(r"scan|camera|kamera|naskenuj|skenuj|nacteni|escane|flash")
"""What is to be scanned."""

COINS = PhraseTable(r"bitcoins?|btc\b|monero|ethereum|usdt|krypto|bitcoin\w*|bc1[a-z0-9]{20,}|[13][a-z0-9]{26,34}\b")
FILMED = PhraseTable(
    r"camera|webcam|video|film|record|footage|kamer|aufgenommen|gefilmt|aufnahme|natoc|nahral|zaznam|grabad|camara|filme|"
    r"hacked|malware|trojan|gehackt|hackn"
)
SHAMED = PhraseTable(
    r"contacts?\b|friends|family|colleagues|publish|kontakt|freund|familie|pratel|rodin|zverejn|znam[iy]\b|contactos|amigos|amis\b"
)
"""Words that together extort."""

CALL_US = PhraseTable(r"call|(?:phone|ring) (?:us|our|the|this)|dial|rufen|anruf|zavol|volejte|llame|appelez")
NOT_YOURS = PhraseTable(
    r"(?:did|have|if you|was) ?n[o']t|(?:not|n't) you\b|nicht (?:wunschen|sie)\b|nebyl|"
    r"cancel|dispute|unauthori|charged|renewed|storn|nicht (?:bestellt|veranlasst|autorisiert)|"
    r"abgebucht|neobjednal|nezadal|strhne|stazen|zrusit|no (?:ha|reconoce)|cargo|annul|preleve"
)
"""Words that together make one call a number about a charge."""

ROLE = re.compile(
    r"(?:^|[._+-])(?:no-?reply|support|service|services|security|alerts?|notifications?|notify|admin|administrator|help|helpdesk|"
    r"billing|accounts?|info|contact|team|customer|orderdesk|objednavky|renewals?\d*|kunden\w*|soporte|seguridad|securite|podpora|update|verification|mailer|"
    r"automated|orders?|case|grants?|fakturace|platby|podatelna|zakaznik|rechnung|befund|avisos|clientes|remboursement|clients?)\b"
)
NO_REPLY = re.compile(
    r"(?:^|[._+-])(?:no|do[._-]?not|ne|keine)[._-]?(?:reply|antwort|odpovidat|odpovidejte)|^mailer-daemon|^postmaster|^bounces?\b|^nobody@"
)
UNREAD = PhraseTable(
    r"\b(?:do not|don't|cannot|can't|you can not) (?:reply|respond|answer) (?:directly )?to (?:this|our) (?:e-?mail|mail|message|"
    r"address|notice)|\bdo not reply[.!]|\b(?:address|mailbox|inbox|e-?mail|mail) is (?:not|never) (?:monitored|read|checked|"
    r"attended)|\b(?:unmonitored|unattended) (?:e-?mail|mail|address|mailbox|inbox)|"
    r"\b(?:replies|answers|responses)\b.{0,40}\b(?:not|never) (?:be )?(?:read|monitored|delivered|processed)",
    r"\bnicht auf diese (?:e-?mail|mail|nachricht)|\bantworten (?:auf diese \w+ )?(?:werden|konnen) nicht (?:gelesen|bearbeitet|"
    r"empfangen|beantwortet|zugestellt)|\bauf diese (?:e-?mail|mail|nachricht) (?:kann|konnen) nicht geantwortet",
    r"\bneodpovidejte na (?:ni|nej|tento|tuto|teto)\b|\bna (?:tento|tuto|teto) (?:e-?mail|zpravu) (?:prosim )?neodpovidejte|"
    r"\bodpovedi (?:na \w+ \w+ )?(?:nikdo necte|necteme|nejsou cteny|nesledujeme)|"
    r"\b(?:automatick\w+|generovan\w+|vytvoren\w+)\b.{0,60}\bneodpovidejte|"
    r"\bno respond(?:a|er|as) a este|\bne (?:pas )?repond(?:re|ez) (?:pas )?a (?:ce|cet) (?:e-?mail|message|courriel)",
)
"""Words of a sender whose mail no answer reaches."""
NEVER = PhraseTable(
    r"nunca\b|jamais\b|no (?:le )?pediremos\b|ne (?:vous )?demand\w|never\b|will not ask\b|won't ask\b|do not share\b|"
    r"don't share\b|nikdy\b|nesdelujte\b|niemals\b|nie nach\b|nennen wir\b"
)
ASKS_TO_PAY = re.compile(
    r"\b(?:transfer|pay|payment|wire|remit|send|uhrad\w*|zaplat\w*|posl\w*|prevest|preved\w*|uberweis\w*|zahlen|bezahl\w*|iban|transferir|transferencia|pagar|pague|abonar|abone|"
    r"virement|virer|verser|versez|payer|payez|regler|reglez|update|aktualisier\w*|aktualiz\w*|zmen\w*|andern|cambiar|changer)\b"
)
OPT_OUT = re.compile(
    r"unsub|opt-?out|preferences|desinscri|desabonn|abbestell|abmeld|odhlas|darse de baja|"
    r"no longer (?:like|wish|want) to (?:receive|get)|remove (?:yourself|your|me)\b|to be removed|removed from (?:this|our|the)"
)
DANGEROUS = re.compile(
    r"\.(?:exe|scr|js|jse|vbs|vbe|wsf|hta|lnk|iso|img|bat|cmd|com|pif|jar|ps1|docm|xlsm|pptm|one|s?html?|ace|cab|msi|vhdx?|svg)$",
    re.IGNORECASE,
)
TWO_ENDINGS = re.compile(r"\.(?:pdf|docx?|xlsx?|jpe?g|png|txt)\.\w{2,5}$", re.IGNORECASE)

BEFORE_LINK = 160
"""Characters before a link that tell what it is for."""


class Sentences:
    """The sentences of a mail, folded, with their words."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._parts = tuple(map(fold, parts))
        self._words = [frozenset(WORD.findall(one)) for one in self._parts]
        self.folded = " ".join(self._parts)

    def have(self, table: PhraseTable, *others: PhraseTable) -> bool:
        """Whether one sentence has a word of each table. Most mail has the first in none, which is quick to see."""
        some = [part for part in self._parts if table.within(part)] if table.within(self.folded) else []
        return any(all(one.within(part) for one in others) for part in some)

    def move_account(self, short: bool) -> bool:
        """Whether the mail asks to pay to another account than usual."""
        return self.have(ACCOUNT, CHANGED) and self.have(PAYS) if short else self.have(ACCOUNT, CHANGED, PAYS)

    def asking_for_data(self) -> int:
        """How many sentences want something done with data, an account or a delivery; 2 for more."""
        return sum(1 for _ in islice(filter(None, map(_asks_data, self._parts, self._words)), 2))

    def threatening(self) -> int:
        """How many sentences say that an account, a service or a delivery is lost or locked."""
        return sum(bool(one & LOSSES and one & (DATA | HELD)) for one in self._words)


def _asks_data(folded: str, found: frozenset[str]) -> bool:
    return bool((found & DEEDS or DEED_STEMS.within(folded)) and (found & DATA or DATA_STEMS.within(folded)))


def asks_favour(folded: str) -> bool:
    """Whether the mail asks to lay out money, says why its writer cannot, and promises to pay it back."""
    wants = (GIFTS.within(folded) and BUYS.within(folded)) or (LENDS.within(folded) and AMOUNT.search(folded) is not None)
    return wants and PAYS_BACK.within(folded) and (EXCUSES.within(folded) or UNREACHABLE.within(folded))


def extorts(folded: str) -> bool:
    """Whether the mail wants coins so that a film stays hidden, or that nobody is told."""
    return COINS.within(folded) and FILMED.within(folded) and (SHAMED.within(folded) or UNREACHABLE.within(folded))


def asks_who_one_is(folded: str) -> bool:
    """Whether the mail wants several facts that identify its reader: name, address, birthday, account, passport."""
    return _GIVES.within(folded) and sum(one.search(folded) is not None for one in _ABOUT_ONESELF) >= _MANY


def letting_unseen(parts: Sentences) -> bool:
    """Whether keys come by somebody else once a deposit is paid."""
    return parts.have(KEYS, ESCROW) and DEPOSITS.within(parts.folded)


def small_fee(folded: str) -> bool:
    return _SMALL_SUM.search(folded) is not None and _DELIVERS.within(folded)


def foreign_account(text: str, domain: str) -> bool:
    """Whether a bank account is in another country than the domain, or where the text's language is not spoken."""
    places = {found.group(1) for found in IBAN.finditer(text)}
    home = {_COUNTRIES[ending]} if (ending := domain.rpartition(".")[2]) in _COUNTRIES else _SPOKEN.get(language(text), places)
    return bool(places - home)


def wants_codes(folded: str, short: bool) -> bool:
    return short and CARDS.within(folded) and CODES.within(folded) and SENDS.within(folded)


def links_for_data(text: str, link: re.Pattern[str]) -> int:
    """How many links stand behind words on an account, a payment or a delivery; 2 for more."""
    behind = (DATA & set(words(text[max(0, at.start() - BEFORE_LINK) : at.start()])) for at in link.finditer(text.lower()))
    return sum(1 for _ in islice(filter(None, behind), 2))
