"""Words of phishing, folded, in English, Czech, German, Spanish and French, and hosts where anybody has pages."""

DEEDS = frozenset(
    (
        "verify", "confirm", "update", "validate", "unlock", "restore", "reactivate", "activate", "enter", "provide",
        "submit", "re-enter", "reconfirm", "secure", "upgrade", "renew", "claim", "log", "sign", "complete", "overte",
        "overit", "potvrdte", "potvrdit", "aktualizujte", "aktualizovat", "zadejte", "zadat", "doplnte", "doplnit",
        "obnovte", "obnovit", "prihlaste", "prihlasit", "vyplnte", "odemknete", "bestatigen", "verifizieren",
        "aktualisieren", "eingeben", "geben", "hinterlegen", "entsperren", "freischalten", "anmelden", "reaktivieren",
        "uberprufen", "erneuern", "loggen", "review", "keep", "release", "reschedule", "recover", "pay", "settle", "fill",
        "download", "increase", "extend", "unlock", "type", "rotate", "prove", "renew", "register", "re-register",
        "reregister", "fix", "preview",
        "correct", "hinterlegen", "hinterlegen", "verlangern", "angeben", "begleichen", "doplnte", "zobrazite", "zaplatte",
        "indique", "vuelva", "corrigez", "versez", "verser", "indiquer", "erweitern", "navyste", "ampliar", "ampliarlo",
        "augmenter", "view", "open",
        "access", "click", "follow", "authenticate", "authorize", "accept", "retrieve",
        "zaplatte", "uhradte", "zkontrolujte", "stahnete", "otevrete", "uvolnete", "zadejte", "vyberte", "kliknete",
        "bestatige", "prufen", "prufe", "zahlen", "bezahlen", "offnen", "offne", "herunterladen", "klicken", "aktualisiere",
        "verifique", "verificar", "confirme", "confirmar", "actualice", "actualizar", "valide", "validar", "introduzca",
        "introducir", "ingrese", "complete", "completar", "acceda", "acceder", "inicie", "pague", "pagar", "abone", "abonar",
        "regularice", "regularizar", "descargue", "descargar", "revise", "rellene", "recupere", "reactive", "desbloquee",
        "verifiez", "verifier", "confirmez", "confirmer", "validez", "valider", "actualisez", "actualiser", "saisissez",
        "renseignez", "completez", "completer", "connectez", "payez", "payer", "reglez", "regler", "regularisez",
        "regulariser", "telechargez", "telecharger", "consultez", "remplissez", "reactivez", "debloquez", "mettez", "cliquez",
    )
)  # fmt: skip

DATA = frozenset(
    (
        "account", "password", "passwords", "identity", "details", "information", "card", "payment", "mailbox", "login",
        "access", "pin", "billing", "credentials", "delivery", "parcel", "package", "wallet", "signature", "membership",
        "ucet", "uctu", "heslo", "hesla", "udaje", "udaju", "karta", "karty", "kartu", "platba", "platbu", "platby",
        "totoznost", "adresu", "pristup", "schranku", "zasilku", "zasilka", "balik", "konto", "kontos", "passwort",
        "kennwort", "daten", "karte", "zahlung", "identitat", "zugang", "adresse", "bankverbindung", "paket", "sendung",
        "postfach", "ausweis", "kundendaten", "subscription", "quota", "storage", "kapacitu", "speicherplatz",
        "almacenamiento", "espace", "refund", "fee", "shipment", "statement", "documents", "document",
        "voicemail", "messages", "profile", "tax", "invoice", "payroll", "salary", "benefits", "token", "certificate",
        "results", "listings", "payouts", "payout", "trip",
        "zertifikat", "guthaben", "sendung", "porto", "bankidentitou", "identitou", "schranky", "vyplaty", "kauci", "kauce",
        "convocation", "identifiants", "cobros", "devolucion", "somme", "claim", "photos", "files", "fax", "notice",
        "wages", "fine", "toll",
        "predplatne", "poplatek", "vratku", "preplatek", "dokument", "zpravy", "fakturu", "vyplatu", "mzdu", "pokutu",
        "abonnement", "gebuhr", "erstattung", "dokumente", "nachrichten", "rechnung", "gehalt", "steuererstattung",
        "bussgeld", "cuenta", "contrasena", "clave", "tarjeta", "datos", "identidad", "pago", "acceso", "buzon", "correo",
        "direccion", "paquete", "envio", "reembolso", "factura", "documento", "nomina", "suscripcion", "multa", "tasas",
        "compte", "motdepasse", "passe", "carte", "donnees", "coordonnees", "informations", "identite", "paiement", "acces",
        "messagerie", "adresse", "colis", "livraison", "remboursement", "facture", "salaire", "amende", "frais", "dossier",
    )
)  # fmt: skip
"""Words that together, in one sentence, ask for data of an account or a delivery."""

LOSSES = frozenset(
    (
        "lose", "loss", "closed", "close", "cancelled", "canceled", "expire", "expires", "expired", "restricted",
        "limited", "restriction", "suspend", "suspended", "suspension", "deleted", "delete", "removed", "remove",
        "blocked", "terminated", "locked", "interrupted", "disconnected", "returned", "unusual", "unauthorized",
        "unauthorised", "suspicious", "zrusen", "zruseno", "smazan", "smazano", "uzavren", "omezen", "omezeno",
        "zablokovan", "zablokovana", "vyprsi", "propadne", "vracen", "vracena", "pozastaven", "pozastavena",
        "neobvykle", "podezrele", "odpojen", "verlieren", "geloscht", "geschlossen", "eingeschrankt", "gesperrt",
        "ablauft", "abgelaufen", "zuruckgesendet", "ungewohnliche", "verdachtige", "eingestellt", "deactivated",
        "deactivation",
        "disabled", "hold", "held", "overdue", "unpaid", "failed", "declined", "legal", "penalty", "prosecution", "court",
        "pokuta", "exekuce", "deaktivovan", "deaktivovana", "neuhrazen", "neuspesne", "deaktiviert", "inkasso", "offen",
        "pfandung", "suspendida", "suspendido", "bloqueada", "bloqueado", "cancelada", "cancelado", "cerrada", "eliminada",
        "eliminado", "caducado", "caduca", "limitado", "limitada", "sospechosa", "sospechoso", "inusual", "devuelto",
        "retenido", "recargo", "suspendu", "suspendue", "bloque", "bloquee", "ferme", "fermee", "supprime", "supprimes",
        "supprimee", "expire", "restreint", "limite", "limitee", "suspecte", "inhabituelle", "retourne", "majoration",
        "poursuites", "resilie", "coupure",
    )
)  # fmt: skip

HELD = frozenset(
    (
        "domain", "website", "page", "listing", "shop", "services", "repository", "you", "your", "stranka", "stranku",
        "sluzba", "sluzby", "elektrina", "vam", "vas", "vase",
        "seite", "inserat", "strom", "dienst", "sie", "ihr", "ihre", "ihnen",
        "servicio", "pagina", "dominio", "usted", "su", "sus", "service", "site", "domaine", "vous", "votre", "vos",
    )
)  # fmt: skip

HOSTS_OF_ANYBODY = frozenset(
    (
        "bit.ly", "tinyurl.com", "t.co", "is.gd", "cutt.ly", "rebrand.ly", "ow.ly", "rb.gy", "shorturl.at", "t.ly", "lnkd.in",
        "weebly.com", "wixsite.com", "blogspot.com", "web.app", "firebaseapp.com", "pages.dev", "workers.dev", "r2.dev",
        "netlify.app", "vercel.app", "herokuapp.com", "github.io", "glitch.me", "000webhostapp.com", "repl.co", "ngrok.io",
        "godaddysites.com", "square.site", "webflow.io", "notion.site", "forms.gle", "jotform.com", "typeform.com",
        "formstack.com", "sites.google.com", "docs.google.com", "forms.office.com", "azurewebsites.net", "windows.net",
    )
)  # fmt: skip
"""Shorteners, free web space and forms: their links say nothing about who made the page."""
