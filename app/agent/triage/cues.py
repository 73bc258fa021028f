"""Words and phrases that suggest a kind of mail, English, Czech, German, Spanish and French, folded (lower case, no diacritics).

A cue matches whole words; `*` stands for any ending of a word, `#` for a number.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum

from app.domain.language.words import fold


class Cue(StrEnum):
    """Groups of cues."""

    MEETING = "meeting"
    COMPLAINT = "complaint"
    FOLLOW_UP = "follow_up"
    NO_ANSWER = "no_answer"
    AUTO_REPLY = "auto_reply"
    PROMOTION = "promotion"
    RECEIPT = "receipt"
    NOTICE = "notice"
    MACHINE = "machine"
    SALES_PITCH = "sales_pitch"
    MONEY_LURE = "money_lure"
    GOODS_LURE = "goods_lure"
    CREDENTIAL = "credential"
    SIGN_IN = "sign_in"
    URGENCY = "urgency"
    NEW_ACCOUNT = "new_account"
    PAY_NOW = "pay_now"
    GIFT_CARD = "gift_card"
    SECRECY = "secrecy"
    MAILBOX = "mailbox"
    IMPERSONAL = "impersonal"
    TO_ASSISTANT = "to_assistant"


CUES: dict[Cue, str] = {
    Cue.MEETING: """
        meet|meeting|meetings|appointment|appointments|reschedul*|postpone*|are you free|are you available|when are you|
        would you be available|video call|phone call|have a call|give me a call|viewing|interview|coffee|lunch|come by|
        come over|drop by|
        schuz*|setkat|setkan*|sejit|sejdem*|presunout|termin*|objednat se|prohlidk*|pohovor*|obed*|zavolat|hodilo by|vyhovuj*|
        mate cas|mas cas|stavit se|treffen|besprechung|besichtigung|gesprach|verschieben|verlegen|vorstellungsgesprach|
        reunion*|cita|quedar|vernos|quedamos|videollamada|entrevista|rendez-vous|rdv|reunion|rencontrer|se voir|entretien|
        dejeuner|disponible""",
    Cue.COMPLAINT: """
        broken|broke|damage|damaged|scratch|scratches|flat tyre|rattles|squeaks|dented|mistake on|charged me|overdue refund|
        nobody answers|
        poskrab*|vrze|drhne|spatne uctov*|uctovali jste|omyl*|kratzer|falsch berechnet|mangel*|shattered|refund|refunded|
        disappointed|disappointing|unacceptable|complain|complaint|
        complaining|faulty|defective|
        unhappy|never arrived|not working|does not work|doesn't work|stopped working|fell off|came off|came loose|money back|
        compensation|compensate|overcharged|charged twice|warranty claim|not what i|frustrated|frustrating|rude|ruined|
        scratched|
        leaking|leaks|useless|poor service|terrible|fed up|still not fixed|mould|
        reklam*|stiznost*|stezuj*|vadn*|rozbit*|prask*|poskozen*|nespokoj*|vratit penize|penize zpet|nefunguj*|zklaman*|
        neprisel*|
        nedorazil*|promocen*|nehorazn*|odbyt*|plisen|
        reklamation*|reklamieren|beschwerde*|beschweren|defekt*|kaputt*|beschadigt*|enttauscht|unzufrieden|geld zuruck|
        ruckerstattung|
        funktioniert nicht|nicht angekommen|schimmel|undicht*|unzumutbar|argerlich|
        roto|rota|danad*|defectuos*|queja|reclamacion*|reembolso|decepcionad*|no funciona|no ha llegado|inaceptable|
        cobrado dos veces|
        casse|cassee|endommag*|defectueu*|reclamation|rembours*|decu|decue|ne fonctionne pas|ne marche pas|pas arrive|
        inadmissible|debite deux fois""",
    Cue.FOLLOW_UP: """
        following up|follow up|follow-up|any news|any update|any updates|heard back|not heard|haven't heard|gentle reminder|
        still waiting|
        checking in|just checking|did you receive|did you get|have you had a chance|had a chance to|where do we stand|
        i wrote to you|my last|
        come back to me|nudge|bumping|nejake novinky|nejaka novinka|uz jste|stihl*|pripominam*|stale cek*|psal jsem|
        psala jsem|
        jak to vypada|slibil*|nachfrage|nachhaken|noch nichts gehort|schon etwas gehort|erinnerung|gibt es neuigkeiten|
        wie ist der stand|
        alguna novedad|hay novedades|recordatorio|sigo esperando|quedo a la espera|pudo ver|has podido|le escribi|te escribi|
        des nouvelles|relance|je me permets de revenir|toujours pas|avez-vous recu|as-tu recu|rappel|en attente de votre""",
    Cue.NO_ANSWER: """
        no need to answer|no need to reply|no need to respond|no reply needed|no answer needed|no action needed|
        no action required|nothing to do|
        no further action|for your information|for information only|fyi|just to let you know|just so you|for your records|
        na vedomi|
        pro informaci|pro tvoji|pro vasi informaci|neni treba|nemusite odpovidat|nemusis odpovidat|davame vam vedet|
        k zalozeni|
        zur info|zur information|zur kenntnis|nur zur|keine antwort|musst nicht antworten|
        no hace falta responder|no es necesario responder|para tu informacion|para su informacion|para su conocimiento|
        pour information|pour info|pas besoin de repondre|aucune reponse|a titre d'information|inutile de repondre""",
    Cue.AUTO_REPLY: """
        out of office|out of the office|auto-reply|autoreply|auto reply|automatic reply|automatic response|
        automated response|automated reply|
        i am on vacation|i am on holiday|i am on leave|i am currently out|i am away|i'm out of the office|
        limited access to e-mail|limited access to email|limited access to my|have received your message and|
        we have received your request|your request has been received|ticket has been created|
        automaticka odpoved|mimo kancelar|jsem na dovolene|nejsem v kancelari|obdrzeli jsme vasi|prijali jsme vas|
        abwesenheitsnotiz|automatische antwort|abwesend|nicht im buro|nicht im haus|bin im urlaub|eingangsbestatigung|
        in der reihenfolge des eingangs|
        respuesta automatica|fuera de la oficina|estoy de vacaciones|ausente de la oficina|hemos recibido su|
        reponse automatique|absent du bureau|absente du bureau|je suis en conge|je suis absent|je suis absente|
        nous avons bien recu votre""",
    Cue.PROMOTION: """
        unsubscribe|newsletter|view this email|view in browser|view online|on sale|sale ends|% off|percent off|shop now|
        discount|discounts|
        special offer|limited offer|limited time|subscribe|in this issue|save your seat|webinar|new arrivals|free delivery|
        free shipping|promo|
        coupon|voucher code|promo code|use code|manage preferences|black friday|early bird|register now|read more|
        vyprodej*|slev*|odhlasit*|odber*|novink*|zpravodaj*|doprava zdarma|soutez*|akcni|
        abbestellen|abmelden|rabatt*|angebote|gutschein*|nur heute|jetzt bestellen|jetzt kaufen|versandkostenfrei|neuheiten|
        survey|umfrage|pruzkum|rate us|how did we do|bewerten sie|
        boletin|darse de baja|cancelar la suscripcion|oferta*|descuento*|rebaja*|envio gratis|compra ahora|solo hoy|encuesta|
        se desabonner|desinscri*|infolettre|lettre d'information|promotion*|remise*|soldes|livraison gratuite|
        livraison offerte|offre*|sondage|code promo""",
    Cue.RECEIPT: """
        order confirmation|your order|receipt|payment received|received your payment|your payment of|has shipped|shipped|
        on its way|
        delivered|your purchase|booking is confirmed|booking confirmation|e-ticket|statement|invoice|total|
        potvrzeni objednavky|vasi objednavku|uctenk*|platb*|doruc*|vypis*|faktur*|zaplacen*|dekujeme za nakup|
        bestellbestatigung|ihre bestellung|rechnung*|quittung|zahlung*|zustellung|versendet|kontoauszug|lieferung|
        confirmacion de pedido|su pedido|tu pedido|recibo|pago recibido|factura*|enviado|entregado|extracto|reserva confirmada|
        confirmation de commande|votre commande|recu|paiement recu|facture*|expedie*|livre|releve|reservation confirmee""",
    Cue.NOTICE: """
        expire|expires|expired|overdue|due|alert|failed|failure|warning|could not charge|closed on|will be closed|shut off|
        maintenance|
        outage|reminder|changes to|will change|has been updated|has changed|new device|new sign-in|undelivered|returned|
        ready for pick*|
        splatn*|odstavk*|prerusen*|vyprs*|upozorn*|upomink*|nezdaril*|zmena|zmeny|vyzvednut*|zavren*|
        fallig*|frist*|ablauf*|lauft ab|wartung*|storung*|gesperrt|mahnung|anderung*|abholbereit|fehlgeschlagen|termin am|
        vence|vencimiento|caduca|caducad*|aviso|recordatorio|corte|mantenimiento|ha cambiado|nuevo inicio de sesion|fallido|
        expire|echeance|avis|rappel|coupure|maintenance|a change|nouvelle connexion|echec|impaye*""",
    Cue.MACHINE: """
        do not reply|automatically generated|automatic message|this is an automated|sent automatically|generated by|
        you receive this|you are receiving|notification|notifications|log in to|automaticky|neodpovidejte|
        automaticka zprava|vygenerovan*|
        automatisch erstellt|automatisch generiert|nicht auf diese e-mail|nicht auf diese nachricht|
        build|pipeline|deployed|deployment|pull request|merged|commit|backup completed|cron|digest|
        no responda|no responder|mensaje automatico|generado automaticamente|notificacion*|
        ne pas repondre|ne repondez pas|message automatique|genere automatiquement|notification*""",
    Cue.SALES_PITCH: """
        seo|first page of google|page one of google|backlink*|dofollow|guest post|sponsored post|leading manufacturer|
        we are a manufacturer|
        the manufacturer of|factory price|web development company|mobile app development|website redesign|
        redesign your website|
        lead generation|email list|decision makers|decision-makers|boost your|increase your sales|
        grow your business|15 minutes|quick call|book a demo|free audit|website audit|moq|
        our services|happy to send you|would you be open to|optimalizac* webu|prvni strane|prvni pozic*|navstevnost*|
        suchmaschinenoptimierung|mehr kunden|neue kunden|unverbindlich*|
        posicionamiento web|primera pagina de google|aumentar sus ventas|nuestros servicios|presupuesto sin compromiso|
        referencement|premiere page de google|augmenter vos ventes|nos services|sans engagement|plus de clients""",
    Cue.MONEY_LURE: """
        million dollars|million usd|million euros|million pounds|lottery|sweepstake*|jackpot|you have won|you won|
        email address won|next of kin|inheritance|
        beneficiary|unclaimed fund*|fiduciary agent|earn money|extra income|work from home|per week from home|get rich|
        risk free|risk-free|
        no credit check|pre-approved|guaranteed approval|guaranteed return*|casino|kasino|free spins|bitcoin|
        crypto investment*|
        double your|dear beneficiary|winning number|stock alert|strong buy|penny stock*|multi-level|mlm|
        consolidate your debt|lowest mortgage rates|
        vyhral*|vyhra|zatoceni zdarma|vydelav*|kryptomen*|investujte|pujck*|dedictvi|milion* dolaru|bez registru|
        gewonnen|gewinnspiel|lotterie|erbschaft|schnell reich|kryptowahrung*|ohne schufa|million* euro|
        millon* de dolares|millon* de euros|loteria|ha ganado|herencia|premio|criptomoneda*|ganar dinero|prestamo*|
        million* de dollars|million* d'euros|loterie|vous avez gagne|heritage|gagner de l'argent|cryptomonnaie*|pret entre""",
    Cue.GOODS_LURE: """
        viagra|cialis|pills|without prescription|no prescription|online pharmacy|weight loss|lose weight|replica|replicas|
        1:1 copies|fake diploma|
        university diploma*|diplomas|enlargement|enlarge your|adult|xxx|hot singles|lonely|ink cartridges|cable descrambler|
        bulk email*|bulk e-mail*|million email addresses|email marketing software|
        bez predpisu|zhubn*|hubnuti|ohne rezept|abnehmen|potenz*|repliky|fur immer schlank|wundermittel|
        sin receta|adelgazar|perder peso|replicas|sans ordonnance|maigrir|perdre du poids|repliques""",
    Cue.CREDENTIAL: """
        bank card|id and your|photo of your id|type in the card|your staff login|student number and password|card pin|
        bank login|
        its password|mailbox password|code from your phone|mit ihrer pin|bankovni identitou|prihlasovaci udaje|su clave|
        identifiants bancaires|per kreditkarte|kartou na tomto|
        your password|present password|e-mail password|email password|enter your password|entering your password|your pin|
        card number|card details|
        credit card|bank details|recovery phrase|seed phrase|social security|security code|
        billing information|billing details|confirm your identity|verify your identity|verify your account|
        confirm your account|confirm it's you|validate your|re-validate|update your payment|update your billing|
        your credentials|
        vase heslo|zadejte heslo|zadanim*|overte|overit ucet|cislo karty|udaje karty|udaje o karte|platebni karty|vas pin|
        rodne cislo|prihlasovaci udaje|
        fakturacni udaje|ihre pin|ihr passwort|passwort ein|kartennummer|kartendaten|kreditkarte|zugangsdaten|bestatigen sie ihr*|
        verifizieren|anmeldedaten|tan|
        your work email|your work e-mail|with your email|with your e-mail|with email|your email provider|
        your company account|company password|work password|firemnim heslem|firmenpasswort|ihrem kennwort|ihrem passwort|
        praxispasswort|bank login|email and password|e-mail and password|your email account|
        your e-mail account|mit ihrer e-mail|vasim e-mailem|prihlasovacim heslem|
        su contrasena|tu contrasena|la contrasena|numero de tarjeta|datos de la tarjeta|datos de su tarjeta|datos bancarios|
        su pin|tu pin|
        codigo de seguridad|clave de acceso|claves|verifique su|verificar su|confirme su identidad|confirme sus datos|
        valide su|credenciales|firma electronica|
        votre mot de passe|le mot de passe|numero de carte|numero de votre carte|coordonnees bancaires|carte bancaire|
        code de securite|identifiants|
        verifier votre|verifiez votre|confirmez votre identite|confirmez vos|validez votre|valider votre|code confidentiel""",
    Cue.SIGN_IN: """
        log in|login|sign in|signin|click here|click the link|click below|open the document|view the document|view and sign|
        prihlaste se|kliknutim|kliknete|prihlasit|einloggen|melden sie sich an|klicken sie|hier klicken|anmelden unter|
        signing in|access with|protected folder|secure document|secure link|secure form|view document|view our|
        haga clic|haz clic|pulse aqui|pinche aqui|inicie sesion|inicia sesion|iniciar sesion|iniciando sesion|acceda a|
        acceder a|abrir el documento|ver el documento|
        cliquez ici|cliquez sur|en cliquant|connectez-vous|se connecter|vous connecter|connexion a|ouvrir le document|
        consulter le document|accedez|
        prihlaste|otevrit dokument|zobrazit dokument|dokument offnen|dokument ansehen|open document|open the file|view file|
        review document|
        listen to|play message|download the file|click the button|button below|link below|following link""",
    Cue.URGENCY: """
        urgent|urgently|immediately|within 24|within 12|within 48|24 hours|48 hours|final notice|last warning|
        will be suspended|suspended|
        will be locked|locked|will be blocked|blocked|terminated|deactivat*|act now|expires today|immediate effect|
        action required|
        permanently deleted|will be removed|will be deleted|before noon|by the end of the day|still today|attention|
        ihned|okamzit*|do 24 hodin|naleh*|zablokov*|pozastaven*|zadrzen*|exekuc*|nevahejte|jeste dnes|
        sofort*|umgehend|innerhalb von 24|24 stunden|noch heute|gesperrt|sperrung|deaktiviert|letzte mahnung|dringend|
        within # hours|in # hours|do # hodin|innerhalb von # stunden|failure to act|final reminder|suspension|
        otherwise we|jinak bude|odpojen*|odpojeni|letzte mahnung|abgeschaltet|
        urgente|inmediatamente|de inmediato|en 24 horas|en # horas|plazo de # horas|menos de # horas|ultimo aviso|
        ultima advertencia|sera suspendid*|sera bloquead*|
        suspendida|bloqueada|cuanto antes|hoy mismo|antes de las|accion requerida|
        urgent|immediatement|sous # heures|sous # h|dans les # heures|dernier avis|dernier rappel|avant suspension|
        sera suspendu*|sera bloque*|suspendu*|
        aujourd'hui meme|des aujourd'hui|action requise|dans les plus brefs delais|au plus vite|
        by end of day|by close of business|before the end of|as soon as possible|asap|right away|today only|last reminder|
        final warning|last notice|
        do konce dne|posledni vyzva|posledni upozorneni|nejpozdeji dnes|do # h|bis heute|noch am heutigen|letzte erinnerung|
        letzte warnung""",
    Cue.NEW_ACCOUNT: """
        changed the escrow|changed the account|froze the usual account|usual account is|where my pay goes|new sort code|
        new remit*|
        mein gehalt|auf mein neues|vyplatu posilat|na jiny ucet|mi nomina|mon salaire|
        new bank account|new account number|new bank details|following account|updated bank details|changed our bank|
        account is under audit|
        change of bank|wire transfer today|novy ucet|noveho uctu|zmena uctu|zmenu uctu|nasledujici ucet|folgende konto|
        neue konto|neue bankverbindung|
        geanderte bankverbindung|neue iban|partnergesellschaft|
        nueva cuenta bancaria|nuevos datos bancarios|nuevo iban|cambio de cuenta|numero de cuenta nuevo|siguiente cuenta|
        hemos cambiado de banco|
        nouveau compte bancaire|nouvelles coordonnees bancaires|nouveau rib|nouvel iban|changement de compte|
        changement de rib|change de banque|compte suivant|
        our new account|new account|new iban|different account|another account|account below|account details have changed|
        bank details have changed|
        nas novy ucet|jiny ucet|novy iban|na ucet nize|zmenili banku|zmenili jsme banku|anderes konto|neuen konto|
        auf dieses konto|bankverbindung hat sich|
        direct deposit|payroll account|salary account|my bank details|mzdovy ucet|vyplatu na|gehaltskonto|mein neues konto|
        cuenta de mi nomina|compte pour mon salaire""",
    Cue.PAY_NOW: """
        transfer charge|send the extra|overpaid|by moneygram|by western union|wire the overdue|make a payment|
        help with a payment|
        hilfe bei einer zahlung|hacer un pago|faire un paiement|frais de dossier|kaution zahlen|zaplatte kauci|reste due|
        processing fee|handling fee|release fee|customs fee|pay the deposit|pay a deposit|secure payment|
        payment is required|payment required|
        by card is required|paid twice by mistake|overpayment|courier company|western union|moneygram|to release the|
        return the difference|
        send the money|send money|transfer the money|wire the|pay now|zaplatte kartou|zaplatte ihned|doplatit|doplatek|
        nedoplatek|
        poplatek za doruceni|poslat # kc|na ucet kamarad*|zahlen sie jetzt|bearbeitungsgebuhr|zollgebuhr|nachzahlung|
        gebuhr von|kaution uberweisen|
        gastos de aduana|gastos de envio|tasa de|pague ahora|pagar ahora|realizar el pago|pago pendiente|abonar|
        transferencia hoy|
        frais de douane|frais de livraison|frais de port|payez maintenant|reglez|regler maintenant|paiement en attente|
        virement aujourd'hui|virement urgent|
        redelivery fee|shipping fee|small fee|unpaid fee|outstanding fee|clearance fee|pay the fee|settle the|
        make the payment|process a payment|process the payment|
        process a transfer|outstanding balance|penalty|fine of|unpaid toll|doplatte|uhradte poplatek|clo ve vysi|pokuta|
        zaplatit poplatek|provest platbu|
        versandkosten nachzahlen|zollgebuhren|gebuhr zahlen|offene gebuhr|bussgeld|uberweisung heute|eilige uberweisung|
        zahlung vornehmen|multa|amende""",
    Cue.GIFT_CARD: """
        vouchers and send|buy vouchers|photos of the codes|photo of the codes|pictures of the codes|the codes on the back|
        fotky kodu|
        poukaz* do|gutscheine besorgen|codes schicken|fotos de los codigos|photos des codes|
        gift card*|gift voucher*|itunes card*|steam card*|amazon card*|google play card*|darkov* kart*|darkov* poukaz*|
        geschenkkarte*|geschenkgutschein*|
        gutscheinkarte*|online vouchers|
        tarjeta* regalo|tarjetas de regalo|tarjeta* de regalo|carte* cadeau*|carte* cadeaux|cartes-cadeaux|gutscheinkarten|
        gutschein codes|prepaid card*|
        paysafecard*|neosurf|transcash|apple card*|vouchers for|steam kart*""",
    Cue.SECRECY: """
        don't ring|do not ring|cannot pick up|can't pick up|can't answer the phone|lost my phone|phone is broken|
        speak to nobody|
        tell nobody|not a word|between ourselves|quick and quiet|only to this mail|email only|by email only|in court|
        zustane mezi nami|mezi nami|nemuzu telefonovat|nemohu telefonovat|nikomu o tom|sprechen sie mit niemandem|mit niemandem|
        nicht anrufen|handy ist kaputt|nur auf diese mail|no lo hables|no hables|tu discrecion|su discrecion|solo a este correo|
        n'en parle|entre nous|restez discret|votre discretion|repondez uniquement|
        don't mention|do not mention|keep this between|keep it between us|confidential matter|strictly confidential|
        between you and me|
        don't tell anyone|do not tell anyone|keep this award|keep this secret|only by e-mail|only by email|only reachable by|
        can't talk|cannot talk|can not talk|in a meeting right now|phone is not working|tied up|
        nikomu nerikej*|nerikejte|telefon nam nefunguje|jen e-mailem|nur per e-mail|telefonisch nicht erreichbar|
        streng vertraulich|niemandem|
        don't call|nevolej|nevolejte|nemam telefon|no phone|ruf nicht an|can't show|abroad so|
        no se lo digas|no lo comente|confidencial|no puedo hablar|no me llames|no llame|solo por correo|en una reunion ahora|
        estoy en una reunion|
        ne le dites a personne|n'en parlez|confidentiel|je ne peux pas parler|ne m'appelez pas|ne m'appelle pas|
        uniquement par mail|uniquement par e-mail|je suis en reunion|
        keep it confidential|discreet|discretion|surprise for|stuck in a meeting|in meetings all day|can't take calls|
        cannot take calls|
        duverne|diskretn*|nemuzu mluvit|nemohu mluvit|jsem na jednani|vertraulich|diskret|kann nicht telefonieren|
        bin in einer besprechung|bin gerade im meeting""",
    Cue.MAILBOX: """
        your mailbox|mailbox quota|mailbox is full|mailbox has|storage limit|mailbox storage|email account|e-mail account|
        webmail|
        mail administrator|it helpdesk|incoming messages|pending messages|held messages|undelivered messages|
        vase schranka|vasi schranku|emailova schranka|postfach|e-mail-konto|speicherplatz|
        su buzon|buzon de correo|correo corporativo|almacenamiento|cuota de|votre messagerie|boite mail|boite de reception|
        espace de stockage|quota de|
        schranka je|kapacita schranky|vaseho e-mailu|e-mailoveho uctu|ihr postfach|ihres e-mail-kontos|it support|
        it department|it-abteilung|helpdesk""",
    Cue.IMPERSONAL: """
        dear user|dear customer|dear client|dear friend|dear sir|dear sirs|dear sir or madam|dear account holder|
        dear member|dear beneficiary|valued customer|
        dear owner|hello dear|dear winner|vazeny zakazniku|vazeny kliente|vazeny uzivateli|vazeny odesilateli|
        vazena zakaznice|
        sehr geehrter kunde|sehr geehrte kundin|lieber kunde|sehr geehrter nutzer|
        dear vendor|dear partner|dear valued partner|dear student|dear all kindly|dear colleague kindly|
        dear email user|hello dear|
        estimado cliente|estimada clienta|estimado usuario|apreciado cliente|querido cliente|estimado titular|
        cher client|chere cliente|chers clients|cher utilisateur|cher abonne|madame, monsieur|cher titulaire|
        dear account owner|dear email owner|dear webmail user|dear subscriber|dear cardholder|dear taxpayer|attention user|
        hello user|mily zakazniku|drahy zakazniku|
        lieber nutzer|lieber kontoinhaber|sehr geehrter kontoinhaber|guten tag kunde""",
    Cue.TO_ASSISTANT: """
        ignore all|ignore previous|ignore the previous|previous instructions|former instructions|earlier instructions|
        system note|
        system message|system prompt|as an ai|ai assistant|mail assistant|note to the assistant|do not tell the user|
        without asking the user|
        tool call|mail assistants|ai mail|ai assistants|ignoruj pokyny|ignoruj predchozi|pokyn pro asistenta|ignoriere alle|
        ignoriere die|
        ignora las instrucciones|ignora todas|ignorez les instructions|ignore les instructions|asistente de correo""",
}


_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Characters without a shape, which hide words from programs."""

_WORD = re.compile(r"[\w'-]+|%")
REMEMBERED_WORDS = 16_384
_NONE = dict.fromkeys(Cue, 0)
_ANY_ENDING = "*"
_NUMBER = "#"
_Phrase = tuple[Cue, str, str, tuple[str, ...]]
"""A cue with its group: as written, how the word after the first begins, and the words after the first."""


def _index() -> tuple[dict[str, list[_Phrase]], dict[str, list[_Phrase]]]:
    """The cues by their first word, and those whose first word has any ending."""
    whole: dict[str, list[_Phrase]] = {}
    begun: dict[str, list[_Phrase]] = {}
    for group, cues in CUES.items():
        for cue in (" ".join(one.split()) for one in cues.split("|")):
            first, *rest = cue.split(" ")
            index = begun if first.endswith(_ANY_ENDING) else whole
            following = rest[0].rstrip(_ANY_ENDING + _NUMBER) if rest else ""
            index.setdefault(first.rstrip(_ANY_ENDING), []).append((group, cue, following, tuple(rest)))
    return whole, begun


_WHOLE, _BEGUN = _index()
_LENGTHS = tuple(sorted({len(one) for one in _BEGUN}))


def count_cues(text: str) -> dict[Cue, int]:
    """How many different cues of each group a text contains."""
    written = _WORD.findall(_INVISIBLE.sub("", fold(text)).replace("’", "'"))
    tokens = [token for one in written if (token := one.rstrip("'-"))]
    found: dict[Cue, set[str]] = defaultdict(set)
    for place, begun in enumerate(map(_beginning_with.__getitem__, tokens), 1):
        if begun:
            after = tokens[place] if place < len(tokens) else ""
            for group, cue, following, rest in begun:
                if after.startswith(following) and _goes_on(rest, tokens, place):
                    found[group].add(cue)
    return {**_NONE, **{cue: len(seen) for cue, seen in found.items()}}


class _CuesOfWords(dict[str, tuple[_Phrase, ...]]):
    """The cues that may begin with a word. Mails share most words."""

    def __missing__(self, token: str) -> tuple[_Phrase, ...]:
        found = list(_WHOLE.get(token, ()))
        for length in _LENGTHS:
            if length <= len(token):
                found += _BEGUN.get(token[:length], ())
        if len(self) >= REMEMBERED_WORDS:
            self.clear()
        self[token] = tuple(found)
        return self[token]


_beginning_with = _CuesOfWords()


def _goes_on(rest: Sequence[str], tokens: Sequence[str], place: int) -> bool:
    """Whether the words of a cue after its first one stand at this place."""
    if place + len(rest) > len(tokens):
        return False
    return all(_matches(word, token) for word, token in zip(rest, tokens[place : place + len(rest)], strict=True))


def _matches(word: str, token: str) -> bool:
    """Whether a word of a cue stands for a word of the text."""
    if word == _NUMBER:
        return token.isdigit()
    return token.startswith(word[:-1]) if word.endswith(_ANY_ENDING) else token == word
