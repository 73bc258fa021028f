<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="cs_CZ" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Your mail server marked it as spam.</source>
        <translation>Váš poštovní server to označil jako spam.</translation>
    </message>
    <message>
        <source>The sender pretends to be someone else and pressures you to share data or click a link.</source>
        <translation>Odesílatel se vydává za někoho jiného a&#xa0;tlačí na vás, abyste sdělili údaje nebo klikli na odkaz.</translation>
    </message>
    <message>
        <source>Be careful with this email.</source>
        <translation>Buďte u&#xa0;tohoto e-mailu opatrní.</translation>
    </message>
    <message>
        <source>An automatic reply. No person wrote it.</source>
        <translation>Automatická odpověď. Nenapsal ji člověk.</translation>
    </message>
    <message>
        <source>A calendar message about an answer or a change.</source>
        <translation>Kalendář hlásí odpověď nebo změnu.</translation>
    </message>
    <message>
        <source>Includes a calendar invitation that needs your answer.</source>
        <translation>Nese pozvánku do kalendáře, která čeká na vaši odpověď.</translation>
    </message>
    <message>
        <source>Sent to a mailing list or in bulk, not just to you.</source>
        <translation>Rozesláno do konference nebo hromadně, ne jen vám.</translation>
    </message>
    <message>
        <source>You sorted email from this sender this way before.</source>
        <translation>Poštu od tohoto odesílatele jste takto posoudili už dříve.</translation>
    </message>
    <message>
        <source>You already answered in this conversation.</source>
        <translation>V&#xa0;této konverzaci už máte odpovězeno.</translation>
    </message>
    <message>
        <source>A newer email in the conversation replaces it.</source>
        <translation>Nahrazuje ho novější e-mail téže konverzace.</translation>
    </message>
    <message>
        <source>Main signs: %1</source>
        <translation>Hlavní znaky: %1</translation>
    </message>
    <message>
        <source>No single word decided. The text as a whole is most like such email</source>
        <translation>Nerozhodlo žádné jednotlivé slovo; text jako celek se nejvíc podobá takové poště</translation>
    </message>
    <message>
        <source>the sender looks like %1 but isn&apos;t</source>
        <translation>odesílatel vypadá jako %1, ale není to on</translation>
    </message>
    <message>
        <source>asks for passwords or card data</source>
        <translation>chce hesla nebo údaje o&#xa0;kartě</translation>
    </message>
    <message>
        <source>asks you to lay out money and promises to pay it back</source>
        <translation>chce, abyste za něj zaplatili, a slibuje peníze vrátit</translation>
    </message>
    <message>
        <source>asks you to call a number about a charge</source>
        <translation>chce, abyste kvůli platbě zavolali na jeho číslo</translation>
    </message>
    <message>
        <source>has an attachment that can run programs</source>
        <translation>má přílohu, která může spouštět programy</translation>
    </message>
    <message>
        <source>the bank account is in another country</source>
        <translation>bankovní účet je v&#xa0;jiné zemi</translation>
    </message>
    <message>
        <source>asks you not to call or tell anyone</source>
        <translation>chce, abyste nevolali a&#xa0;nikomu nic neříkali</translation>
    </message>
    <message>
        <source>asks for personal details such as your birthday or ID</source>
        <translation>žádá osobní údaje, třeba datum narození nebo doklad</translation>
    </message>
    <message>
        <source>signs as a boss but writes from a private address</source>
        <translation>podepisuje se jako vedoucí, ale píše ze soukromé adresy</translation>
    </message>
    <message>
        <source>asks for money before you get something</source>
        <translation>chce peníze předem</translation>
    </message>
    <message>
        <source>makes promises that sound too good to be true</source>
        <translation>slibuje věci, které znějí až příliš dobře</translation>
    </message>
    <message>
        <source>offers services you didn&apos;t ask for</source>
        <translation>nabízí služby, o&#xa0;které nikdo nežádal</translation>
    </message>
    <message>
        <source>pressures you to act fast</source>
        <translation>nutí ke spěchu</translation>
    </message>
    <message>
        <source>reports that something went wrong</source>
        <translation>hlásí, že se něco nepovedlo</translation>
    </message>
    <message>
        <source>asks about something that is still open</source>
        <translation>ptá se na něco, co ještě není vyřízeno</translation>
    </message>
    <message>
        <source>asks for a time to meet</source>
        <translation>chce termín schůzky</translation>
    </message>
    <message>
        <source>asks one question</source>
        <translation>pokládá jednu otázku</translation>
    </message>
    <message>
        <source>asks %1 questions</source>
        <translation>klade otázky: %1</translation>
    </message>
    <message>
        <source>asks you for something</source>
        <translation>o&#xa0;něco vás žádá</translation>
    </message>
    <message>
        <source>addresses you directly</source>
        <translation>oslovuje přímo vás</translation>
    </message>
    <message>
        <source>you have written to this address before</source>
        <translation>na tuto adresu jste už psali</translation>
    </message>
    <message>
        <source>the sender has written to you before</source>
        <translation>odesílatel vám už psal</translation>
    </message>
    <message>
        <source>it was sent only to you</source>
        <translation>přišlo to jen vám</translation>
    </message>
    <message>
        <source>it was sent by a program</source>
        <translation>odeslal to program</translation>
    </message>
    <message>
        <source>it reads like a newsletter or an offer</source>
        <translation>zní to jako newsletter nebo nabídka</translation>
    </message>
    <message>
        <source>says that no answer is needed</source>
        <translation>říká, že odpověď není potřeba</translation>
    </message>
    <message>
        <source>says thanks or agrees</source>
        <translation>děkuje nebo souhlasí</translation>
    </message>
    <message>
        <source>mentions a date or an amount you may want to know</source>
        <translation>uvádí datum nebo částku, které by vás mohly zajímat</translation>
    </message>
    <message>
        <source>confirms something already done</source>
        <translation>potvrzuje něco, co už je hotové</translation>
    </message>
    <message>
        <source>doesn&apos;t ask you for anything</source>
        <translation>nic od vás nechce</translation>
    </message>
    <message>
        <source>asks two questions</source>
        <translation>pokládá dvě otázky</translation>
    </message>
    <message>
        <source>asks three questions</source>
        <translation>pokládá tři otázky</translation>
    </message>
    <message>
        <source>asks four questions</source>
        <translation>pokládá čtyři otázky</translation>
    </message>
    <message>
        <source>asks five or more questions</source>
        <translation>pokládá pět nebo více otázek</translation>
    </message>
    <message>
        <source> and </source>
        <translation> a </translation>
    </message>
    <message>
        <source>Try the step again.</source>
        <translation>Zkuste krok znovu.</translation>
    </message>
    <message>
        <source>Download the file again and don&apos;t edit it.</source>
        <translation>Stáhněte soubor znovu a&#xa0;neupravujte ho.</translation>
    </message>
    <message>
        <source>Put the value in quotes.</source>
        <translation>Dejte hodnotu do uvozovek.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Vyberte jiný soubor.</translation>
    </message>
    <message>
        <source>The file is too large to be an OAuth client.</source>
        <translation>Soubor je na klienta OAuth příliš velký.</translation>
    </message>
    <message>
        <source>The file is empty. Download the file again.</source>
        <translation>Soubor je prázdný. Stáhněte soubor znovu.</translation>
    </message>
    <message>
        <source>This is a folder, not a file. Choose the JSON file in it.</source>
        <translation>Tohle je složka, ne soubor. Vyberte soubor JSON v&#xa0;ní.</translation>
    </message>
    <message>
        <source>The file can&apos;t be read: %1.</source>
        <translation>Soubor nelze číst: %1.</translation>
    </message>
    <message>
        <source>This isn&apos;t a JSON text file.</source>
        <translation>Tohle není textový soubor JSON.</translation>
    </message>
    <message>
        <source>This is a client of type “Web application”.</source>
        <translation>Tento klient je typu „Web application“.</translation>
    </message>
    <message>
        <source>The client has no %1.</source>
        <translation>Klientovi chybí %1.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a Google https address.</source>
        <translation>%1 není adresa https u&#xa0;Googlu.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read: %2.</source>
        <translation>%1 nelze přečíst: %2.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read: %2. Download it again, or unpack it yourself.</source>
        <translation>%1 nelze přečíst: %2. Stáhněte ho znovu, nebo ho sami rozbalte.</translation>
    </message>
    <message>
        <source>The compressed file is damaged from here on. Download it again, then import it again.</source>
        <translation>Zabalený soubor je odsud dál poškozený. Stáhněte ho znovu a&#xa0;znovu ho načtěte.</translation>
    </message>
    <message>
        <source>It would unpack to %1 times its size. Unpack it yourself if you trust it, then choose the folder.</source>
        <translation>Po rozbalení by měl %1krát větší velikost. Pokud mu důvěřujete, rozbalte ho a&#xa0;vyberte složku.</translation>
    </message>
    <message>
        <source>The rest of the file can&apos;t be read.</source>
        <translation>Soubor odsud nelze číst dál.</translation>
    </message>
    <message>
        <source>The file isn&apos;t UTF-8 text. Save it as UTF-8.</source>
        <translation>Soubor není text v&#xa0;UTF-8. Uložte ho v&#xa0;UTF-8.</translation>
    </message>
    <message>
        <source>Not valid TOML: too many nested brackets.</source>
        <translation>Neplatný TOML: závorky v&#xa0;závorkách bez konce.</translation>
    </message>
    <message>
        <source>Not valid TOML: %1.</source>
        <translation>Neplatný TOML: %1.</translation>
    </message>
    <message>
        <source>%1: there is no setting `%2`.</source>
        <translation>%1: nastavení `%2` neexistuje.</translation>
    </message>
    <message>
        <source>%1: Expected %2, got %3.</source>
        <translation>%1: očekává se %2, stojí tu %3.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>Not valid YAML: unusual tags, merges or nesting. Check the file with a YAML editor.</source>
        <translation>Neplatný YAML: podivné značky, slučování nebo vnoření. Zkontrolujte soubor v&#xa0;editoru YAML.</translation>
    </message>
    <message>
        <source>Not valid YAML: %1. Check the file with a YAML editor.</source>
        <translation>Neplatný YAML: %1. Zkontrolujte soubor v&#xa0;editoru YAML.</translation>
    </message>
    <message>
        <source>Not valid YAML: %1. Check indentation, colons and quotes here.</source>
        <translation>Neplatný YAML: %1. Zkontrolujte zde odsazení, dvojtečky a&#xa0;uvozovky.</translation>
    </message>
    <message>
        <source>The file isn&apos;t a mapping of keys to values. Write it as `key: value` lines.</source>
        <translation>Soubor nepřiřazuje klíčům hodnoty. Zapište to jako řádky `klíč: hodnota`.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a mapping of keys to values. Write it as `key: value` lines.</source>
        <translation>%1 nepřiřazuje klíčům hodnoty. Zapište to jako řádky `klíč: hodnota`.</translation>
    </message>
    <message>
        <source>%1 is missing. Add `%1: ...`.</source>
        <translation>%1 chybí. Doplňte `%1: ...`.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t text.</source>
        <translation>%1 není text.</translation>
    </message>
    <message>
        <source>%1 contains something that isn&apos;t text.</source>
        <translation>%1 obsahuje něco, co není text.</translation>
    </message>
    <message>
        <source>There are more than %1 rules. Combine rules, or match a domain.</source>
        <translation>Pravidel je více než %1. Spojte pravidla, nebo porovnávejte doménu.</translation>
    </message>
    <message>
        <source>Two rules are named “%1”. Rename one.</source>
        <translation>Dvě pravidla se jmenují „%1“. Dejte jednomu jiný název.</translation>
    </message>
    <message>
        <source>There is no route “%1”. Choose one of: %2.</source>
        <translation>Cesta „%1“ neexistuje. Zvolte jednu z: %2.</translation>
    </message>
    <message>
        <source>There is no action “%1”. Choose one of: %2.</source>
        <translation>Akce „%1“ neexistuje. Vyberte jednu z&#xa0;těchto: %2.</translation>
    </message>
    <message>
        <source>Rule “%1”: route and profile don&apos;t go together. The agent route needs a profile.</source>
        <translation>Pravidlo „%1“: cesta a&#xa0;profil k&#xa0;sobě nepatří. Uveďte profil pro cestu agent.</translation>
    </message>
    <message>
        <source>Rule “%1”: route and profile don&apos;t go together. Delete the profile; only the agent route has one.</source>
        <translation>Pravidlo „%1“: cesta a&#xa0;profil k&#xa0;sobě nepatří. Smažte profil; má ho jen cesta agent.</translation>
    </message>
    <message>
        <source>Rule “%1” has no match. Add conditions, or `match: {all: true}` for every email.</source>
        <translation>Pravidlo „%1“ nemá match. Doplňte podmínky, nebo `match: {all: true}` pro každý e-mail.</translation>
    </message>
    <message>
        <source>match has no condition, so the rule would never apply. Add one, or `all: true`.</source>
        <translation>match nemá žádnou podmínku, pravidlo by nikdy neplatilo. Doplňte nějakou, nebo `all: true`.</translation>
    </message>
    <message>
        <source>all can only be true. Write `all: true`, or delete the line.</source>
        <translation>all může být jen true. Napište `all: true`, nebo řádek smažte.</translation>
    </message>
    <message>
        <source>sender_domain contains an @. Write only the part after the @.</source>
        <translation>sender_domain obsahuje @. Napište jen část za @.</translation>
    </message>
    <message>
        <source>header_match names no header. Write `Header-Name: pattern`, or delete it.</source>
        <translation>header_match neuvádí žádnou hlavičku. Napište `Název-Hlavičky: vzor`, nebo to smažte.</translation>
    </message>
    <message>
        <source>Profile “%1” is empty. Add system_prompt_file and tools.</source>
        <translation>Profil „%1“ je prázdný. Doplňte mu system_prompt_file a&#xa0;tools.</translation>
    </message>
    <message>
        <source>Profile “%1” lists no tools. Add `tools: [...]`, or `tools: []` for none.</source>
        <translation>Profil „%1“ neuvádí žádné nástroje. Doplňte `tools: [...]`, nebo `tools: []` pro žádné.</translation>
    </message>
    <message>
        <source>The prompt %1 isn&apos;t UTF-8 text. Save it as UTF-8.</source>
        <translation>Zadání %1 není text v&#xa0;UTF-8. Uložte ho v&#xa0;UTF-8.</translation>
    </message>
    <message>
        <source>The prompt %1 is empty or too long. Write from 1 to %2 characters.</source>
        <translation>Zadání %1 je prázdné nebo příliš dlouhé. Napište 1 až %2 znaků.</translation>
    </message>
    <message>
        <source>There is no tool “%1”. Known tools: %2. Tools of a server come with mcp_servers.</source>
        <translation>Nástroj „%1“ neexistuje. Známé nástroje: %2. Nástroje serveru přicházejí s&#xa0;mcp_servers.</translation>
    </message>
    <message>
        <source>The tool “%1” is listed twice. Delete one.</source>
        <translation>Nástroj „%1“ je uveden dvakrát. Jeden z&#xa0;nich smažte.</translation>
    </message>
    <message>
        <source>Server “%1” needs either a command or a url. Give exactly one of the two.</source>
        <translation>Server „%1“ potřebuje buď command, nebo url. Uveďte právě jedno z&#xa0;toho.</translation>
    </message>
    <message>
        <source>A server with a url can&apos;t have %1. Delete %1.</source>
        <translation>Server s&#xa0;url nemá %1. Smažte %1.</translation>
    </message>
    <message>
        <source>The server&apos;s address is neither https nor on this computer. Use https://.</source>
        <translation>Adresa serveru není https ani na tomto počítači. Použijte https://.</translation>
    </message>
    <message>
        <source>The address contains a name or password. Delete everything before the @.</source>
        <translation>Adresa obsahuje jméno nebo heslo. Smažte, co stojí před @.</translation>
    </message>
    <message>
        <source>There is no profile “%1”, nor any other. Add it under agent.profiles.</source>
        <translation>Profil „%1“ neexistuje. Žádný není znám. Doplňte ho pod agent.profiles.</translation>
    </message>
    <message>
        <source>There is no profile “%1”. Known: %2. Add it under agent.profiles.</source>
        <translation>Profil „%1“ neexistuje. Známé: %2. Doplňte ho pod agent.profiles.</translation>
    </message>
    <message>
        <source>There is no profile “%1”. Choose another, or add it to the file first.</source>
        <translation>Profil „%1“ neexistuje. Vyberte jiný, nebo jej nejdřív přidejte do souboru.</translation>
    </message>
    <message>
        <source>The rules can&apos;t be saved like this. Remove spaces around texts and unusual characters.</source>
        <translation>Pravidla v&#xa0;této podobě nejde zapsat. Odstraňte mezery kolem textů a&#xa0;neobvyklé znaky.</translation>
    </message>
    <message>
        <source>This server is no longer in the profiles.</source>
        <translation>Tento server už v&#xa0;profilech není.</translation>
    </message>
    <message>
        <source>The server changed its description of this tool. Read it again first.</source>
        <translation>Server teď tento nástroj popisuje jinak. Nejdřív si popis znovu přečtěte.</translation>
    </message>
    <message>
        <source>%1 is larger than 25 MB. Share a link instead.</source>
        <translation>%1 je větší než 25 MB. Sdílejte ho odkazem.</translation>
    </message>
    <message>
        <source>Together, the files are larger than 25 MB. Remove one, or share a link instead.</source>
        <translation>Soubory jsou dohromady větší než 25 MB. Jeden odeberte, nebo ho sdílejte odkazem.</translation>
    </message>
    <message>
        <source>%1 was changed or can&apos;t be read.</source>
        <translation>%1 se mezitím změnil nebo jej nelze přečíst.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t the file that was proposed.</source>
        <translation>%1 je jiný soubor, než jaký byl navržen.</translation>
    </message>
    <message>
        <source>This document doesn&apos;t exist.</source>
        <translation>Takový dokument tu není.</translation>
    </message>
    <message>
        <source>The document was changed outside Replyroom.</source>
        <translation>Dokument byl změněn mimo program.</translation>
    </message>
    <message>
        <source>The document can&apos;t be read: %1.</source>
        <translation>Dokument nelze přečíst: %1.</translation>
    </message>
    <message>
        <source>“%1” has no readable text.</source>
        <translation>„%1“ nemá text, který lze přečíst.</translation>
    </message>
    <message>
        <source>“%1” is damaged or takes too long to read.</source>
        <translation>„%1“ je poškozený, nebo se čte příliš dlouho.</translation>
    </message>
    <message>
        <source>“%1” is password-protected. Remove the password, then add the file again.</source>
        <translation>„%1“ je chráněný heslem. Odstraňte heslo a&#xa0;přidejte soubor znovu.</translation>
    </message>
    <message>
        <source>A template needs a name and text. Fill in both.</source>
        <translation>Šablona potřebuje název a&#xa0;text. Vyplňte obojí.</translation>
    </message>
    <message>
        <source>This template no longer exists.</source>
        <translation>Tato šablona už tu není.</translation>
    </message>
    <message>
        <source>The email you are forwarding is no longer in the mailbox. Write a new message instead.</source>
        <translation>Přeposílaný e-mail už ve schránce není. Napište místo toho nový e-mail.</translation>
    </message>
    <message>
        <source>This conversation is no longer in the mailbox.</source>
        <translation>Tato konverzace už ve schránce není.</translation>
    </message>
    <message>
        <source>“%1” in From isn&apos;t one of your addresses. Choose another.</source>
        <translation>V&#xa0;poli Od stojí „%1“, což není žádná z&#xa0;vašich adres. Zvolte jinou.</translation>
    </message>
    <message>
        <source>%1 contains a line break or a control character. Write it on one line.</source>
        <translation>V&#xa0;poli %1 je zalomení řádku nebo řídicí znak. Napište to na jeden řádek.</translation>
    </message>
    <message>
        <source>To is empty. Add a recipient.</source>
        <translation>V&#xa0;poli Komu nikdo nestojí. Přidejte někoho.</translation>
    </message>
    <message>
        <source>This step needs a language model, and none is chosen. Choose one in Settings, then try the step again.</source>
        <translation>Tento krok potřebuje jazykový model a&#xa0;žádný není vybrán. Vyberte ho v&#xa0;Nastavení a&#xa0;zkuste krok znovu.</translation>
    </message>
    <message>
        <source>The email to answer isn&apos;t in this mailbox.</source>
        <translation>E-mail, na který se mělo odpovědět, v&#xa0;této schránce není.</translation>
    </message>
    <message>
        <source>The email has no recipient. Say in the request who it&apos;s for, and try the step again.</source>
        <translation>E-mail nemá příjemce. Napište v&#xa0;požadavku, komu se má poslat, a&#xa0;zkuste krok znovu.</translation>
    </message>
    <message>
        <source>No step of this request created the file to attach. Nothing was attached or sent.</source>
        <translation>K&#xa0;e-mailu se měl připojit soubor, který žádný krok tohoto požadavku nevytvořil. Nic se nepřipojilo ani neodeslalo.</translation>
    </message>
    <message>
        <source>The recipient isn&apos;t exactly one email address.</source>
        <translation>E-mail měl jít někam, co není právě jedna e-mailová adresa.</translation>
    </message>
    <message>
        <source>The model looked things up but gave no answer. Try the step again, or ask for less.</source>
        <translation>Model vyhledával, ale nakonec neodpověděl. Zkuste krok znovu, nebo zadejte méně.</translation>
    </message>
    <message>
        <source>Without a language model, the assistant only searches your mail, and this request names nothing to search for. Name a person or a thing, or choose a language model in Settings.</source>
        <translation>Bez jazykového modelu asistent jen hledá v&#xa0;poště a&#xa0;z&#xa0;požadavku není jasné, co hledat. Napište osobu nebo věc, nebo vyberte jazykový model v&#xa0;Nastavení.</translation>
    </message>
    <message>
        <source>The key for %1 has characters that no key has. Copy it whole and enter it again in Settings.</source>
        <translation>Klíč pro %1 obsahuje znaky, které v&#xa0;klíči být nemohou. Zkopírujte ho celý a&#xa0;zadejte znovu v&#xa0;Nastavení.</translation>
    </message>
    <message>
        <source>Check the model and, if you entered one, its address in Settings.</source>
        <translation>Zkontrolujte v&#xa0;Nastavení model, a&#xa0;pokud jste zadali jeho adresu, tak i&#xa0;ji.</translation>
    </message>
    <message>
        <source>%1 gave a usable answer only %2 of %3 times when sorting mail. Use it only for drafts: enter “none” as the model for sorting in Settings &gt; Model &gt; Advanced.</source>
        <translation>%1 při třídění pošty odpověděl použitelně jen %2krát z&#xa0;%3. Nechte ho psát jen koncepty: v&#xa0;Nastavení &gt; Model &gt; Pro pokročilé napište u&#xa0;modelu pro třídění „none“.</translation>
    </message>
    <message>
        <source>Replyroom made a mistake here (%1). The log shows where.</source>
        <translation>Program tu udělal chybu (%1). Místo najdete v&#xa0;protokolu.</translation>
    </message>
    <message>
        <source>The Gmail agent got no result.</source>
        <translation>Agent pro Gmail nedospěl k&#xa0;výsledku.</translation>
    </message>
    <message>
        <source>Searching and writing email by request needs a language model, and none is set.</source>
        <translation>Hledání a&#xa0;psaní e-mailů na požádání potřebuje jazykový model a&#xa0;žádný není nastaven.</translation>
    </message>
    <message>
        <source>Part of the plan has already run. Start a new request.</source>
        <translation>Část plánu už proběhla. Zadejte to znovu jako nový požadavek.</translation>
    </message>
    <message>
        <source>A step is running. Stop it first.</source>
        <translation>Krok právě běží. Nejdřív ho zastavte.</translation>
    </message>
    <message>
        <source>The request is not finished. Stop it first.</source>
        <translation>Požadavek není dokončen. Nejdřív ho zastavte.</translation>
    </message>
    <message>
        <source>This request no longer exists.</source>
        <translation>Tento požadavek už tu není.</translation>
    </message>
    <message>
        <source>A step is empty. Remove it, or write what it should do.</source>
        <translation>Krok nic neříká. Odeberte ho, nebo napište, co má udělat.</translation>
    </message>
    <message>
        <source>Check the model in Settings.</source>
        <translation>Zkontrolujte model v&#xa0;Nastavení.</translation>
    </message>
    <message>
        <source>%1 gave an empty answer.</source>
        <translation>%1 odpověděl prázdnou odpovědí.</translation>
    </message>
    <message>
        <source>%1 rejected the key. Enter it again in Settings.</source>
        <translation>%1 odmítl klíč. Zadejte ho v&#xa0;Nastavení znovu.</translation>
    </message>
    <message>
        <source>%1 requires payment. Check your account with the provider.</source>
        <translation>%1 žádá o&#xa0;platbu. Zkontrolujte účet u&#xa0;poskytovatele.</translation>
    </message>
    <message>
        <source>%1 does not allow this key to use %2.</source>
        <translation>%1 nedovoluje s&#xa0;tímto klíčem používat %2.</translation>
    </message>
    <message>
        <source>%1 does not know the model %2.</source>
        <translation>%1 nezná model %2.</translation>
    </message>
    <message>
        <source>The model ID %1 has no provider. Write it as provider/model.</source>
        <translation>Označení modelu %1 neuvádí poskytovatele. Napište ho jako poskytovatel/model.</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s.</source>
        <translation>%1 neodpověděl do %2 s.</translation>
    </message>
    <message>
        <source>%1 sent nothing for %2 s.</source>
        <translation>%1 po dobu %2 s&#xa0;nic neposlal.</translation>
    </message>
    <message>
        <source>%1 stopped in the middle of an answer.</source>
        <translation>%1 přestal uprostřed odpovědi.</translation>
    </message>
    <message>
        <source>%1 rejected the request: too many requests, or the quota is used up.</source>
        <translation>%1 dotaz odmítl: je jich příliš mnoho, nebo je vyčerpaná kvóta.</translation>
    </message>
    <message>
        <source>%1 failed (%2).</source>
        <translation>%1 selhal (%2).</translation>
    </message>
    <message>
        <source>%1 isn&apos;t responding. Check that the model is running and its address is right.</source>
        <translation>%1 neodpovídá. Zkontrolujte, že model běží a&#xa0;že je jeho adresa správná.</translation>
    </message>
    <message>
        <source>%1 gave no answer: the mail is too long for it.</source>
        <translation>%1 neodpověděl: e-mail je pro něj příliš dlouhý.</translation>
    </message>
    <message>
        <source>%1 gave no answer: it doesn&apos;t allow this content.</source>
        <translation>%1 neodpověděl: tento obsah odmítá.</translation>
    </message>
    <message>
        <source>%1 gave no answer: its server does not accept the request.</source>
        <translation>%1 neodpověděl: jeho server dotaz nepřijímá.</translation>
    </message>
    <message>
        <source>%1 should have used a tool, but didn&apos;t in two tries.</source>
        <translation>%1 dvakrát nezavolal nástroj tam, kde byl potřeba.</translation>
    </message>
    <message>
        <source>%1 often gets the format of such answers wrong, so it isn&apos;t asked for them now.</source>
        <translation>%1 nedodržuje formu takových odpovědí, proto se ho na ně teď neptáme.</translation>
    </message>
    <message>
        <source>the sender&apos;s domain only resembles its name</source>
        <translation>doména odesílatele se jeho jménu jen podobá</translation>
    </message>
    <message>
        <source>pretends to be your email provider</source>
        <translation>vydává se za správce vaší schránky</translation>
    </message>
    <message>
        <source>the sender&apos;s domain doesn&apos;t confirm it</source>
        <translation>doména odesílatele za něj neručí</translation>
    </message>
    <message>
        <source>nothing confirms who sent it</source>
        <translation>nic nedokládá, kdo jej poslal</translation>
    </message>
    <message>
        <source>a link doesn&apos;t lead where it says</source>
        <translation>odkaz vede jinam, než ukazuje</translation>
    </message>
    <message>
        <source>replies would go to another domain</source>
        <translation>odpověď by šla do jiné domény</translation>
    </message>
    <message>
        <source>asks you to pay into a new account</source>
        <translation>žádá platbu na nový účet</translation>
    </message>
    <message>
        <source>its link leads outside the sender&apos;s domain</source>
        <translation>jeho odkaz vede mimo doménu odesílatele</translation>
    </message>
    <message>
        <source>pressures you to pay</source>
        <translation>naléhá na platbu</translation>
    </message>
    <message>
        <source>asks for gift cards</source>
        <translation>žádá dárkové karty</translation>
    </message>
    <message>
        <source>asks you to sign in through a link</source>
        <translation>žádá přihlášení přes odkaz</translation>
    </message>
    <message>
        <source>you often answer this sender</source>
        <translation>tomuto odesílateli často odpovídáte</translation>
    </message>
    <message>
        <source>addresses someone else</source>
        <translation>obrací se na někoho jiného</translation>
    </message>
    <message>
        <source>came through a mailing list</source>
        <translation>přišel z&#xa0;e-mailové konference</translation>
    </message>
    <message>
        <source>You sent this email yourself.</source>
        <translation>Tento e-mail je od vás.</translation>
    </message>
    <message>
        <source>A mail server reports on the delivery of your email.</source>
        <translation>Poštovní server hlásí, jak dopadlo doručení vašeho e-mailu.</translation>
    </message>
    <message>
        <source>You usually answer emails from %1.</source>
        <translation>Na e-maily tohoto odesílatele obvykle odpovídáte: %1.</translation>
    </message>
    <message>
        <source>You usually don&apos;t answer emails from %1.</source>
        <translation>Na e-maily tohoto odesílatele obvykle neodpovídáte: %1.</translation>
    </message>
    <message>
        <source>Most similar to an email from %1 that you decided this way</source>
        <translation>Nejvíc se podobá e-mailu, o&#xa0;kterém jste tak rozhodli (od: %1)</translation>
    </message>
    <message>
        <source>tries to instruct an AI assistant</source>
        <translation>dává pokyny poštovnímu asistentovi</translation>
    </message>
    <message>
        <source>answers your email</source>
        <translation>odpovídá na váš e-mail</translation>
    </message>
    <message>
        <source>In Google Cloud, create an OAuth client of type “Desktop app” and download its JSON file.</source>
        <translation>V&#xa0;Google Cloud Console vytvořte klienta OAuth typu Desktop app a&#xa0;stáhněte jeho soubor JSON.</translation>
    </message>
    <message>
        <source>Fix this line, or delete it to go back to the default.</source>
        <translation>Opravte tento řádek, nebo ho smažte a&#xa0;bude zase platit výchozí hodnota.</translation>
    </message>
    <message>
        <source>Remove it, or create it again.</source>
        <translation>Odeberte jej, nebo jej nechte vytvořit znovu.</translation>
    </message>
    <message>
        <source>Choose an mbox file, a Maildir folder, .eml files or a Google Takeout file.</source>
        <translation>Vyberte soubor mbox, složku Maildir, e-maily (.eml) nebo soubor z&#xa0;Google Takeout.</translation>
    </message>
    <message>
        <source>This isn&apos;t a regular file.</source>
        <translation>Tohle není běžný soubor.</translation>
    </message>
    <message>
        <source>This isn&apos;t a file name.</source>
        <translation>Tohle není název souboru.</translation>
    </message>
    <message>
        <source>This file isn&apos;t valid JSON (%1).</source>
        <translation>Tohle není JSON: %1.</translation>
    </message>
    <message>
        <source>The JSON isn&apos;t an object.</source>
        <translation>Obsahem JSON není objekt.</translation>
    </message>
    <message>
        <source>This is a service account key. Choose the file of a “Desktop app” client.</source>
        <translation>Tohle je klíč servisního účtu, který schránku člověka neotevře.</translation>
    </message>
    <message>
        <source>This file holds another app&apos;s sign-in, not credentials.</source>
        <translation>Tohle je uložené přihlášení jiného programu, ne klient.</translation>
    </message>
    <message>
        <source>This is an API key, not a desktop OAuth client file.</source>
        <translation>Tohle je soubor s&#xa0;klíčem API: chybí v&#xa0;něm objekt „installed“.</translation>
    </message>
    <message>
        <source>This isn&apos;t a desktop OAuth client file.</source>
        <translation>Tohle není soubor klienta OAuth: chybí v&#xa0;něm objekt „installed“.</translation>
    </message>
    <message>
        <source>%1 contains no mail.</source>
        <translation>V&#xa0;souboru či složce %1 není žádná pošta.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a regular file.</source>
        <translation>%1 není obyčejný soubor.</translation>
    </message>
    <message>
        <source>These files in %1 can&apos;t be read: %2. All others are imported. Fix them, then import again.</source>
        <translation>V&#xa0;%1 nelze přečíst tyto soubory: %2. Všechny ostatní jsou přečtené; opravte je a&#xa0;pak archiv přečtěte znovu.</translation>
    </message>
    <message>
        <source>The file can&apos;t be read: %1. Put a text file there that you have permission to read.</source>
        <translation>Soubor nelze číst: %1. Nahraďte ho textovým souborem, který smíte číst.</translation>
    </message>
    <message>
        <source>Unknown key “%1”. Known here: %2.</source>
        <translation>Neznámý klíč „%1“. Zde známé: %2.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a list. For example, %2.</source>
        <translation>%1 není seznam. Zapište například %2.</translation>
    </message>
    <message>
        <source>%1: enter a whole number from %2 to %3, for example %4.</source>
        <translation>%1 není celé číslo od %2 do %3. Zapište například %4.</translation>
    </message>
    <message>
        <source>%1: enter a number from %2 to %3, for example %4.</source>
        <translation>%1 není číslo od %2 do %3. Zapište například %4.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a valid email address: “%2”. For example, name@example.org.</source>
        <translation>%1 není e-mailová adresa: „%2“. Zapište ji jako jmeno@example.org.</translation>
    </message>
    <message>
        <source>The pattern for %1 is wrong: %2. Fix the regular expression.</source>
        <translation>Vzor pro %1 je chybný: %2. Opravte regulární výraz.</translation>
    </message>
    <message>
        <source>The prompt %1 can&apos;t be read: %2. Write the prompt there, or fix the path, which is relative to this file&apos;s folder.</source>
        <translation>Zadání %1 nelze číst: %2. Napište tam zadání, nebo opravte cestu; začíná ve složce tohoto souboru.</translation>
    </message>
    <message>
        <source>The server name “%1” is too long. Use up to %2 characters.</source>
        <translation>Název serveru „%1“ je příliš dlouhý. Použijte nejvýše %2 znaků.</translation>
    </message>
    <message>
        <source>This isn&apos;t a URL: %1. For example, %2.</source>
        <translation>Tohle není adresa: %1. Zapište například %2.</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a tool permission. Use one of: %2.</source>
        <translation>„%1“ není slovo pro nástroj. Napište jedno z: %2.</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be a profile name. Use letters, digits, single hyphens and underscores.</source>
        <translation>„%1“ není název pro profil. Použijte písmena, číslice, jednotlivé spojovníky a&#xa0;podtržítka.</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be a server name. Use letters, digits, single hyphens and underscores.</source>
        <translation>„%1“ není název pro server. Použijte písmena, číslice, jednotlivé spojovníky a&#xa0;podtržítka.</translation>
    </message>
    <message>
        <source>%1 was changed in the meantime. Check the rules and change them again.</source>
        <translation>Soubor %1 se mezitím změnil. Podívejte se, jak pravidla vypadají teď, a&#xa0;změňte je znovu.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a file. Attach the files of a folder one by one.</source>
        <translation>%1 není soubor. Soubory ze složky připojte po jednom.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read (%2). Check its permissions.</source>
        <translation>%1 nejde přečíst (%2). Podívejte se na jeho oprávnění.</translation>
    </message>
    <message>
        <source>%1 is no longer available.</source>
        <translation>%1 už tu není.</translation>
    </message>
    <message>
        <source>%1 is still downloading from Gmail. Wait or remove it.</source>
        <translation>%1 se ještě stahuje z&#xa0;Gmailu. Počkejte na něj, nebo ho odeberte.</translation>
    </message>
    <message>
        <source>This file is no longer available. Attach it again.</source>
        <translation>Tento soubor už není uchován. Připojte jej znovu.</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be a document name.</source>
        <translation>„%1“ nemůže být názvem dokumentu.</translation>
    </message>
    <message>
        <source>A document can be up to %1 MB.</source>
        <translation>Dokument má nejvýše %1 MB.</translation>
    </message>
    <message>
        <source>You can schedule up to a year ahead. Choose an earlier time.</source>
        <translation>E-mail jde odložit nejvýš o&#xa0;rok. Zvolte dřívější čas.</translation>
    </message>
    <message>
        <source>This draft was changed in Gmail in the meantime. Choose a version first.</source>
        <translation>Tento koncept se mezitím změnil v&#xa0;Gmailu. Nejdřív zvolte, která verze platí.</translation>
    </message>
    <message>
        <source>This email isn&apos;t a draft.</source>
        <translation>Tento e-mail není koncept.</translation>
    </message>
    <message>
        <source>The message was changed before it was sent. Check it and send it again.</source>
        <translation>E-mail se mezitím změnil. Prohlédněte si ho a&#xa0;odešlete ho znovu.</translation>
    </message>
    <message>
        <source>This message is no longer available.</source>
        <translation>Tento e-mail už se neuchovává.</translation>
    </message>
    <message>
        <source>The message is already %1.</source>
        <translation>E-mail už je ve stavu: %1.</translation>
    </message>
    <message>
        <source>It&apos;s too late to undo this.</source>
        <translation>Tohle už vrátit nejde.</translation>
    </message>
    <message>
        <source>Someone wrote in this conversation in the meantime. Check it again.</source>
        <translation>Mezitím do této konverzace někdo napsal. Podívejte se na to ještě jednou.</translation>
    </message>
    <message>
        <source>%1 contains “%2”, which isn&apos;t a valid email address. For example, name@example.org.</source>
        <translation>V&#xa0;poli %1 stojí „%2“, což není e-mailová adresa. Opravte ji, například na jmeno@example.org.</translation>
    </message>
    <message>
        <source>An email can have up to %1 recipients.</source>
        <translation>E-mail má nejvýše %1 příjemců.</translation>
    </message>
    <message>
        <source>An email can have up to %1 characters. Ask for a document instead.</source>
        <translation>E-mail má nejvýše %1 znaků. Zadejte místo toho dokument.</translation>
    </message>
    <message>
        <source>A newer email in the conversation replaced it, so it wasn&apos;t sent. Try the step again.</source>
        <translation>V&#xa0;konverzaci přišel novější e-mail, proto se neodeslal. Zkuste krok znovu a&#xa0;napíše se nově.</translation>
    </message>
    <message>
        <source>The Gmail agent did not finish. Say more precisely what to find or send, and try again.</source>
        <translation>Agent pro Gmail nedošel ke konci. Upřesněte, co se má najít nebo poslat, a&#xa0;zkuste to znovu.</translation>
    </message>
    <message>
        <source>The request is empty. Write what to do.</source>
        <translation>Požadavek je prázdný. Napište, co se má udělat.</translation>
    </message>
    <message>
        <source>A request can have up to %1 characters. Shorten it.</source>
        <translation>Požadavek má nejvýše %1 znaků. Zkraťte ho.</translation>
    </message>
    <message>
        <source>Its email was sent or is waiting in Review. Decide there, or ask again.</source>
        <translation>Jeho e-mail už odešel, nebo čeká ve Schvalování. Rozhodněte tam, nebo zadejte nový požadavek.</translation>
    </message>
    <message>
        <source>A plan needs at least one step. Say in the request what to do.</source>
        <translation>Plán potřebuje aspoň jeden krok. Napište v&#xa0;požadavku, co se má udělat.</translation>
    </message>
    <message>
        <source>A plan can have up to %1 steps. Ask for less at a time.</source>
        <translation>Plán má nejvýše %1 kroků. Zadejte najednou méně.</translation>
    </message>
    <message>
        <source>A step can have up to %1 characters. Shorten it.</source>
        <translation>Krok má nejvýše %1 znaků. Zkraťte ho.</translation>
    </message>
    <message>
        <source>This email has no invitation you can answer.</source>
        <translation>Tento e-mail nemá pozvánku, na kterou by šlo odpovědět.</translation>
    </message>
    <message>
        <source>%1 did not finish this email in %2 turns.</source>
        <translation>%1 s&#xa0;tímto e-mailem po %2 krocích neskončil.</translation>
    </message>
    <message>
        <source>%1 gave a usable answer only %2 of %3 times. Choose another model in Settings, or none.</source>
        <translation>%1 dodržel formu jen v&#xa0;%2 z&#xa0;%3 odpovědí. Zvolte pro ně v&#xa0;Nastavení jiný model, nebo žádný.</translation>
    </message>
    <message>
        <source>You set this yourself.</source>
        <translation>Tak jste to určili sami.</translation>
    </message>
    <message>
        <source>You said that this isn&apos;t spam.</source>
        <translation>Řekli jste, že to není spam.</translation>
    </message>
    <message>
        <source>You said that this isn&apos;t suspicious.</source>
        <translation>Řekli jste, že to není podezřelé.</translation>
    </message>
    <message>
        <source>you reported it as phishing</source>
        <translation>nahlásili jste to jako phishing</translation>
    </message>
    <message>
        <source>There is no key for %1 yet. Enter it first.</source>
        <translation>Klíč zatím chybí (%1). Nejdřív ho zadejte.</translation>
    </message>
    <message>
        <source>Drafted without the model, as you asked.</source>
        <translation>Napsáno bez modelu, jak jste chtěli.</translation>
    </message>
    <message>
        <source>Settings &gt; Privacy keeps this email on this computer, so no language model gets it.</source>
        <translation>Tento e-mail podle Nastavení &gt; Soukromí nikdy neopustí počítač, a&#xa0;tak ho nedostane žádný jazykový model.</translation>
    </message>
    <message>
        <source>The response agent found nothing to do.</source>
        <translation>Agent pro odpovědi nenašel nic k&#xa0;vyřízení.</translation>
    </message>
    <message>
        <source>A request can have up to %1 files.</source>
        <translation>K&#xa0;požadavku lze přidat nejvýš %1 souborů.</translation>
    </message>
    <message>
        <source>The font for PDF files does not have these letters: %1. Ask for a Word file instead.</source>
        <translation>Písmo pro PDF nemá tyto znaky: %1. Požádejte raději o&#xa0;soubor Word.</translation>
    </message>
    <message>
        <source>There is no time zone “%1”.</source>
        <translation>Časové pásmo „%1“ neexistuje.</translation>
    </message>
    <message>
        <source>Use a name such as Europe/Prague, or leave it empty.</source>
        <translation>Použijte název jako Europe/Prague, nebo ho nechte prázdný.</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 je prázdné.</translation>
    </message>
    <message>
        <source>Write a text, or delete this line.</source>
        <translation>Napište text, nebo tento řádek smažte.</translation>
    </message>
    <message>
        <source>The model file %1 is missing or can&apos;t be read. Choose it again in Settings.</source>
        <translation>Soubor modelu %1 chybí nebo ho nelze přečíst. Vyberte ho znovu v&#xa0;Nastavení.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t a GGUF file. Choose another in Settings.</source>
        <translation>%1 není soubor GGUF. Vyberte v&#xa0;Nastavení jiný.</translation>
    </message>
    <message>
        <source>%1 couldn&apos;t be loaded. It may be too large for this computer&apos;s memory.</source>
        <translation>Model %1 se nepodařilo načíst. Často je příliš velký pro paměť tohoto počítače.</translation>
    </message>
    <message>
        <source>To run a model file, install llama.cpp (llama-server) or the package xllamacpp.</source>
        <translation>Ke spuštění souboru modelu nainstalujte llama.cpp (llama-server) nebo balíček xllamacpp.</translation>
    </message>
    <message>
        <source>%1 must be true or false.</source>
        <translation>%1 není ani true, ani false. Napište jedno z&#xa0;toho.</translation>
    </message>
    <message>
        <source>This can&apos;t be saved. Replace the aliases and anchors in the file with their values.</source>
        <translation>Do souboru to nejde zapsat. Najděte v&#xa0;něm aliasy nebo kotvy a&#xa0;rozepište je.</translation>
    </message>
    <message>
        <source>There&apos;s already a profile named “%1”. Choose another name.</source>
        <translation>Profil „%1“ už existuje. Zvolte jiný název.</translation>
    </message>
    <message>
        <source>Not valid JSON: %1. Check commas, quotes and brackets here.</source>
        <translation>Neplatný JSON: %1. Zkontrolujte tu čárky, uvozovky a&#xa0;závorky.</translation>
    </message>
    <message>
        <source>“mcpServers” is missing or empty. Paste the whole text: {&quot;mcpServers&quot;: {&quot;name&quot;: {&quot;command&quot;: ...}}}.</source>
        <translation>Klíč „mcpServers“ chybí nebo je prázdný. Vložte celý text: {&quot;mcpServers&quot;: {&quot;název&quot;: {&quot;command&quot;: ...}}}.</translation>
    </message>
    <message>
        <source>Servers of type “%1” can&apos;t be used. Known types: %2.</source>
        <translation>Servery typu „%1“ nelze použít. Známé typy: %2.</translation>
    </message>
    <message>
        <source>%1 gave an answer that can&apos;t be used.</source>
        <translation>Odpověď modelu %1 nejde použít.</translation>
    </message>
    <message>
        <source>%1 says no reply is needed. Sorting without it, which has been right more often, says one is.</source>
        <translation>%1 tu odpověď nechce. Třídění bez něj, které mělo pravdu častěji, ji očekává.</translation>
    </message>
</context>
<context>
    <name>AboutMessage</name>
    <message>
        <source>About this message</source>
        <translation>O&#xa0;této zprávě</translation>
    </message>
    <message>
        <source>Summarize this conversation</source>
        <translation>Shrnout tuto konverzaci</translation>
    </message>
    <message>
        <source>What do I need to do, and by when?</source>
        <translation>Co se po mně chce a&#xa0;do kdy?</translation>
    </message>
    <message>
        <source>What did I promise?</source>
        <translation>Moje sliby v&#xa0;této konverzaci</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>All requests</source>
        <translation>Všechny požadavky</translation>
    </message>
    <message>
        <source>The assistant works with connected accounts, not with imported mail.</source>
        <translation>Asistent pracuje s&#xa0;připojenými účty, ne s&#xa0;importovanou poštou.</translation>
    </message>
</context>
<context>
    <name>AboutSection</name>
    <message>
        <source>About Replyroom</source>
        <translation>O&#xa0;Replyroomu</translation>
    </message>
    <message>
        <source>Drafts replies for your review, on your own computer.</source>
        <translation>Připravuje odpovědi k&#xa0;vašemu schválení, na vašem vlastním počítači.</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Verze</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Otevřít složku</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Složka s&#xa0;daty</translation>
    </message>
    <message>
        <source>Open the logs</source>
        <translation>Otevřít protokoly</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Protokoly</translation>
    </message>
    <message>
        <source>Packages</source>
        <translation>Balíčky</translation>
    </message>
    <message>
        <source>Your mail, drafts and settings. To back up, quit Replyroom and copy this folder.</source>
        <translation>Vaše pošta, koncepty a&#xa0;nastavení. Zálohujete ji zkopírováním; Replyroom předtím zavřete.</translation>
    </message>
    <message>
        <source>Safe to share: no mail, addresses or keys.</source>
        <translation>Bez pošty, adres a&#xa0;klíčů: můžete je ukázat tomu, kdo vám pomáhá.</translation>
    </message>
    <message>
        <source>Replyroom is under the MIT license. It is built with Qt for Python (LGPL 3), Phosphor icons (MIT), LangGraph and litellm (MIT), Chroma (Apache 2.0), the all-MiniLM-L6-v2 model (Apache 2.0) and others.</source>
        <translation>Replyroom je pod licencí MIT. Stojí na Qt for Python (LGPL 3), ikonách Phosphor (MIT), LangGraph a&#xa0;litellm (MIT), Chromě (Apache 2.0), modelu all-MiniLM-L6-v2 (Apache 2.0) a&#xa0;dalších.</translation>
    </message>
    <message>
        <source>Open-source licenses</source>
        <translation>Vše, z&#xa0;čeho se Replyroom skládá, s&#xa0;texty licencí.</translation>
    </message>
    <message>
        <source>Licenses</source>
        <translation>Licence</translation>
    </message>
    <message>
        <source>Show all licenses…</source>
        <translation>Ukázat všechny licence…</translation>
    </message>
</context>
<context>
    <name>AccountCard</name>
    <message>
        <source>Sign in again</source>
        <translation>Přihlásit se znovu</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Modrá</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Oranžová</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Zelená</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>Fialová</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Červená</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pozastavit</translation>
    </message>
    <message>
        <source>Waiting for your answer in the browser…</source>
        <translation>Čeká se na vaši odpověď v&#xa0;prohlížeči…</translation>
    </message>
    <message>
        <source>Google signed you out after 7 days because the consent screen is in testing mode. Publish it.</source>
        <translation>Google ukončil přihlášení po 7 dnech: obrazovka souhlasu je v&#xa0;testování. Zveřejněte ji.</translation>
    </message>
    <message>
        <source>Google wants you to sign in again.</source>
        <translation>Google chce, abyste se znovu přihlásili.</translation>
    </message>
    <message>
        <source>Google will sign you out on %1 because the consent screen is in testing mode.</source>
        <translation>Přihlášení skončí %1, protože obrazovka souhlasu je v&#xa0;testování.</translation>
    </message>
    <message>
        <source>Online</source>
        <translation>Online</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Připojeno</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Zkusit hned</translation>
    </message>
    <message>
        <source>Its mail isn&apos;t checked, so no drafts are written.</source>
        <translation>Pošta se nekontroluje, proto nevznikají koncepty.</translation>
    </message>
    <message>
        <source>Choose mail to check…</source>
        <translation>Vybrat poštu…</translation>
    </message>
    <message>
        <source>Remove account…</source>
        <translation>Odebrat účet…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Odebrat</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Ponechat</translation>
    </message>
    <message>
        <source>Color of %1</source>
        <translation>Barva účtu %1</translation>
    </message>
    <message>
        <source>Gray</source>
        <translation>Šedá</translation>
    </message>
    <message>
        <source>Custom color</source>
        <translation>Jiná barva</translation>
    </message>
    <message>
        <source>This deletes its mail, drafts and decisions from this computer. Nothing changes in Gmail.</source>
        <translation>Jeho pošta, koncepty a&#xa0;rozhodnutí se z&#xa0;tohoto počítače smažou. Schránka u&#xa0;Googlu zůstane, jak je.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Pokračovat</translation>
    </message>
    <message>
        <source>Paused. No mail is received or sent.</source>
        <translation>Pozastaveno: pošta se nestahuje ani neodesílá.</translation>
    </message>
    <message>
        <source>Offline. Replyroom tries again automatically.</source>
        <translation>Offline; zkouší se to znovu samo.</translation>
    </message>
    <message>
        <source>Google&apos;s limit reached. Mail resumes shortly.</source>
        <translation>Kvóta Googlu je vyčerpaná; čeká se</translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) couldn&apos;t be downloaded yet. Replyroom tries again automatically.</source>
        <translation>
            <numerusform>%n e-mail zatím nešel stáhnout; zkouší se znovu sám.</numerusform>
            <numerusform>%n e-maily zatím nešly stáhnout; zkoušejí se znovu samy.</numerusform>
            <numerusform>%n e-mailů zatím nešlo stáhnout; zkoušejí se znovu samy.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AccountsSection</name>
    <message>
        <source>Accounts</source>
        <translation>Účty</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Připojeno</translation>
    </message>
    <message>
        <source>Sign in to Google</source>
        <translation>Přihlásit se ke Googlu</translation>
    </message>
    <message>
        <source>Line %1: </source>
        <translation>Řádek %1: </translation>
    </message>
    <message>
        <source>Waiting for your answer in the browser…</source>
        <translation>Čeká se na vaši odpověď v&#xa0;prohlížeči…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>Accounts sync independently.</source>
        <translation>Každá schránka se synchronizuje zvlášť, v&#xa0;mezích své kvóty.</translation>
    </message>
    <message>
        <source>How do I get this file?</source>
        <translation>Jak ten soubor získat?</translation>
    </message>
    <message>
        <source>Use an existing credentials file or a new one.</source>
        <translation>Použijte soubor klienta, který už tu je, nebo jiný.</translation>
    </message>
    <message>
        <source>Sign in to Google in your browser. A credentials file of your own is optional.</source>
        <translation>Přihlaste se ke Googlu v&#xa0;prohlížeči. Vlastní soubor s&#xa0;údaji není nutný.</translation>
    </message>
    <message>
        <source>Add account</source>
        <translation>Přidat účet</translation>
    </message>
    <message>
        <source>This file works.</source>
        <translation>Toto je klient pro desktopovou aplikaci.</translation>
    </message>
    <message>
        <source>Until then, accounts can&apos;t be shown or added. Your mail at Google is not affected.</source>
        <translation>Do té doby nelze vaše účty přečíst ani přidat další; vaší pošty u&#xa0;Googlu se to netýká.</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Search</source>
        <translation>Hledat</translation>
    </message>
    <message>
        <source>Go to Review</source>
        <translation>Přejít ke schvalování</translation>
    </message>
    <message>
        <source>Go to Inbox</source>
        <translation>Přejít do doručené pošty</translation>
    </message>
    <message>
        <source>Go to Sent</source>
        <translation>Přejít do odeslané pošty</translation>
    </message>
    <message>
        <source>Go to Outbox</source>
        <translation>Přejít do pošty k&#xa0;odeslání</translation>
    </message>
    <message>
        <source>Go to Activity</source>
        <translation>Přejít k&#xa0;činnosti</translation>
    </message>
    <message>
        <source>Go to Memory</source>
        <translation>Přejít do paměti</translation>
    </message>
    <message>
        <source>Go to Drafts</source>
        <translation>Přejít na koncepty</translation>
    </message>
    <message>
        <source>Go to Waiting</source>
        <translation>Přejít na čekání</translation>
    </message>
    <message>
        <source>Go to Assistant</source>
        <translation>Přejít na Asistenta</translation>
    </message>
    <message>
        <source>Text templates</source>
        <translation>Šablony textů</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Nastavení</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Klávesové zkratky</translation>
    </message>
    <message>
        <source>Change keyboard shortcuts</source>
        <translation>Změnit klávesové zkratky</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Ukončit</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Schválit</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Upravit</translation>
    </message>
    <message>
        <source>Ask for changes</source>
        <translation>Požádat o&#xa0;změny</translation>
    </message>
    <message>
        <source>Save as Gmail draft</source>
        <translation>Uložit jako koncept v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Zamítnout</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Přeskočit</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Předchozí</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vzít zpět</translation>
    </message>
    <message>
        <source>Why this draft</source>
        <translation>Proč právě tento koncept</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Další</translation>
    </message>
    <message>
        <source>Draft a reply</source>
        <translation>Připravit odpověď</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>Odpovědět</translation>
    </message>
    <message>
        <source>Reply to all</source>
        <translation>Odpovědět všem</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Přeposlat</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivovat</translation>
    </message>
    <message>
        <source>Move to inbox</source>
        <translation>Přesunout do doručené pošty</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Označit hvězdičkou</translation>
    </message>
    <message>
        <source>Mark as read or unread</source>
        <translation>Označit jako přečtené či nepřečtené</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Štítek</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Odložit</translation>
    </message>
    <message>
        <source>Spam or not spam</source>
        <translation>Spam, nebo není spam</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>Přesunout do koše</translation>
    </message>
    <message>
        <source>Copy the sender&apos;s address</source>
        <translation>Zkopírovat adresu odesílatele</translation>
    </message>
    <message>
        <source>Open in Gmail</source>
        <translation>Otevřít v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Vybrat vše</translation>
    </message>
    <message>
        <source>Cancel sending</source>
        <translation>Zrušit odeslání</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>Odeslat hned</translation>
    </message>
    <message>
        <source>Add a preference</source>
        <translation>Přidat pravidlo</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Smazat</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Odeslat</translation>
    </message>
    <message>
        <source>In the Assistant</source>
        <translation>V&#xa0;Asistentovi</translation>
    </message>
    <message>
        <source>Send later</source>
        <translation>Odeslat později</translation>
    </message>
    <message>
        <source>Next inbox</source>
        <translation>Další doručená pošta</translation>
    </message>
    <message>
        <source>Sorted wrongly?</source>
        <translation>Špatně zařazeno?</translation>
    </message>
    <message>
        <source>Short answer 1</source>
        <translation>Krátká odpověď 1</translation>
    </message>
    <message>
        <source>Short answer 2</source>
        <translation>Krátká odpověď 2</translation>
    </message>
    <message>
        <source>Block the sender</source>
        <translation>Blokovat odesílatele</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Kopírovat kód</translation>
    </message>
    <message>
        <source>Compact or comfortable list</source>
        <translation>Kompaktní nebo pohodlný seznam</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Přiložit soubory</translation>
    </message>
    <message>
        <source>Insert a template</source>
        <translation>Vložit šablonu</translation>
    </message>
    <message>
        <source>Bold</source>
        <translation>Tučně</translation>
    </message>
    <message>
        <source>Italic</source>
        <translation>Kurzíva</translation>
    </message>
    <message>
        <source>Bulleted list</source>
        <translation>Odrážky</translation>
    </message>
    <message>
        <source>Numbered list</source>
        <translation>Číslovaný seznam</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Odkaz</translation>
    </message>
    <message>
        <source>Short answer 3</source>
        <translation>Krátká odpověď 3</translation>
    </message>
    <message>
        <source>Add a template</source>
        <translation>Přidat šablonu</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
    <message>
        <source>Open the conversation</source>
        <translation>Otevřít konverzaci</translation>
    </message>
    <message>
        <source>New request</source>
        <translation>Nový požadavek</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Zastavit</translation>
    </message>
    <message>
        <source>Open the item that waits for you</source>
        <translation>Otevřít, co na vás čeká</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>Kopírovat odpověď</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Všude</translation>
    </message>
    <message>
        <source>In Review</source>
        <translation>Při schvalování</translation>
    </message>
    <message>
        <source>In the mail lists</source>
        <translation>V&#xa0;seznamech pošty</translation>
    </message>
    <message>
        <source>In the Outbox</source>
        <translation>V&#xa0;poště k&#xa0;odeslání</translation>
    </message>
    <message>
        <source>In Memory</source>
        <translation>V&#xa0;paměti</translation>
    </message>
    <message>
        <source>While writing</source>
        <translation>Při psaní</translation>
    </message>
    <message>
        <source>In Drafts</source>
        <translation>V&#xa0;konceptech</translation>
    </message>
    <message>
        <source>In Templates</source>
        <translation>V&#xa0;šablonách</translation>
    </message>
    <message>
        <source>In Waiting</source>
        <translation>V&#xa0;čekání</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>Vytisknout</translation>
    </message>
    <message>
        <source>Save as PDF</source>
        <translation>Uložit jako PDF</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>Přihlásit se znovu</translation>
    </message>
    <message>
        <source>Check Sent</source>
        <translation>Podívat se do Odeslaných</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Vybrat</translation>
    </message>
    <message>
        <source>Extend the selection down</source>
        <translation>Rozšířit výběr dolů</translation>
    </message>
    <message>
        <source>Extend the selection up</source>
        <translation>Rozšířit výběr nahoru</translation>
    </message>
    <message>
        <source>Dismiss all</source>
        <translation>Zavřít vše</translation>
    </message>
    <message>
        <source>Approve without archiving</source>
        <translation>Schválit bez archivace</translation>
    </message>
    <message>
        <source>Next inbox split</source>
        <translation>Další část doručené pošty</translation>
    </message>
    <message>
        <source>Previous inbox split</source>
        <translation>Předchozí část doručené pošty</translation>
    </message>
    <message>
        <source>Search or run a command</source>
        <translation>Hledat nebo spustit příkaz</translation>
    </message>
    <message>
        <source>Compose</source>
        <translation>Napsat e-mail</translation>
    </message>
    <message>
        <source>Get new mail</source>
        <translation>Zkontrolovat novou poštu</translation>
    </message>
    <message>
        <source>Import a mail archive</source>
        <translation>Otevřít archiv pošty</translation>
    </message>
    <message>
        <source>Pause assistant</source>
        <translation>Pozastavit asistenta</translation>
    </message>
    <message>
        <source>Show changes</source>
        <translation>Porovnat s&#xa0;návrhem</translation>
    </message>
    <message>
        <source>Focus mode</source>
        <translation>Po jednom</translation>
    </message>
    <message>
        <source>Continue this draft</source>
        <translation>Pokračovat v&#xa0;tomto konceptu</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Přesunout pod štítek</translation>
    </message>
    <message>
        <source>Make a rule from this email</source>
        <translation>Vytvořit z&#xa0;e-mailu pravidlo</translation>
    </message>
    <message>
        <source>View original</source>
        <translation>Zobrazit zdroj</translation>
    </message>
    <message>
        <source>Discard draft</source>
        <translation>Zahodit</translation>
    </message>
    <message>
        <source>Draft follow-up</source>
        <translation>Připravit připomenutí</translation>
    </message>
    <message>
        <source>Stop tracking</source>
        <translation>Už nečekat</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Spustit plán</translation>
    </message>
    <message>
        <source>Make a new plan</source>
        <translation>Naplánovat znovu</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Pokračovat</translation>
    </message>
    <message>
        <source>Redraft</source>
        <translation>Navrhnout znovu</translation>
    </message>
    <message>
        <source>Open in editor</source>
        <translation>Psát dál ručně</translation>
    </message>
    <message>
        <source>Mute or unmute</source>
        <translation>Ztlumit nebo zrušit ztlumení</translation>
    </message>
    <message>
        <source>Edit inbox splits</source>
        <translation>Upravit části doručené pošty</translation>
    </message>
    <message>
        <source>Go to Subscriptions</source>
        <translation>Přejít na odběry</translation>
    </message>
    <message>
        <source>Archive read newsletters</source>
        <translation>Archivovat přečtené newslettery</translation>
    </message>
    <message>
        <source>Unsubscribe</source>
        <translation>Odhlásit odběr</translation>
    </message>
    <message>
        <source>Archive all</source>
        <translation>Archivovat vše</translation>
    </message>
    <message>
        <source>Archive automatically</source>
        <translation>Archivovat automaticky</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Blokovat</translation>
    </message>
    <message>
        <source>Show all messages</source>
        <translation>Zobrazit všechny zprávy</translation>
    </message>
    <message>
        <source>In Subscriptions</source>
        <translation>V&#xa0;odběrech</translation>
    </message>
    <message>
        <source>Go to Starred</source>
        <translation>Přejít k&#xa0;poště s&#xa0;hvězdičkou</translation>
    </message>
    <message>
        <source>Reject: no answer needed</source>
        <translation>Zamítnout: odpověď není potřeba</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Otevřít</translation>
    </message>
    <message>
        <source>Archive and open the next older</source>
        <translation>Archivovat a&#xa0;otevřít další starší</translation>
    </message>
    <message>
        <source>Archive and open the next newer</source>
        <translation>Archivovat a&#xa0;otevřít další novější</translation>
    </message>
    <message>
        <source>Send without archiving</source>
        <translation>Odeslat bez archivace</translation>
    </message>
    <message>
        <source>Go to Today</source>
        <translation>Přejít na Dnes</translation>
    </message>
    <message>
        <source>Best results first</source>
        <translation>Nejlepší výsledky nahoře</translation>
    </message>
    <message>
        <source>Find in this message</source>
        <translation>Najít v&#xa0;této zprávě</translation>
    </message>
    <message>
        <source>Help me write</source>
        <translation>Pomoct s&#xa0;psaním</translation>
    </message>
    <message>
        <source>Test on past email</source>
        <translation>Vyzkoušet na starší poště</translation>
    </message>
    <message>
        <source>Show or hide the sender card</source>
        <translation>Zobrazit nebo skrýt kartu odesílatele</translation>
    </message>
    <message>
        <source>Undo this change</source>
        <translation>Vrátit tuto změnu</translation>
    </message>
    <message>
        <source>Remind me if no reply</source>
        <translation>Připomenout, když nepřijde odpověď</translation>
    </message>
    <message>
        <source>Next message in the conversation</source>
        <translation>Další zpráva konverzace</translation>
    </message>
    <message>
        <source>Previous message in the conversation</source>
        <translation>Předchozí zpráva konverzace</translation>
    </message>
    <message>
        <source>Expand all messages</source>
        <translation>Rozbalit všechny zprávy konverzace</translation>
    </message>
    <message>
        <source>Collapse all messages</source>
        <translation>Sbalit všechny zprávy konverzace</translation>
    </message>
    <message>
        <source>Ask about this message</source>
        <translation>Zeptat se na tuto zprávu</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>queued</source>
        <translation>ve frontě</translation>
    </message>
    <message>
        <source>running</source>
        <translation>probíhá</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>čeká na vás</translation>
    </message>
    <message>
        <source>done</source>
        <translation>hotovo</translation>
    </message>
    <message>
        <source>needs attention</source>
        <translation>podívejte se sami</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>selhalo</translation>
    </message>
    <message>
        <source>replaced by a newer email</source>
        <translation>předběhl ho novější e-mail</translation>
    </message>
    <message>
        <source>standard</source>
        <translation>běžně</translation>
    </message>
    <message>
        <source>sorted only</source>
        <translation>jen roztřídění</translation>
    </message>
    <message>
        <source>the response agent</source>
        <translation>přes agenta odpovědí</translation>
    </message>
    <message>
        <source>the agent “%1”</source>
        <translation>přes agenta „%1“</translation>
    </message>
    <message>
        <source>%1, by the rule “%2”</source>
        <translation>%1, podle pravidla „%2“</translation>
    </message>
    <message>
        <source>Sorted it</source>
        <translation>E-mail zatříděn</translation>
    </message>
    <message>
        <source>Notified you</source>
        <translation>Upozornění pro vás</translation>
    </message>
    <message>
        <source>Gathered sources</source>
        <translation>Zdroje shromážděny</translation>
    </message>
    <message>
        <source>Decided what to do</source>
        <translation>Rozhodnuto, co dál</translation>
    </message>
    <message>
        <source>Ran tools</source>
        <translation>Nástroje použity</translation>
    </message>
    <message>
        <source>Wrote a draft</source>
        <translation>Koncept napsán</translation>
    </message>
    <message>
        <source>Checked the draft</source>
        <translation>Koncept zkontrolován</translation>
    </message>
    <message>
        <source>Asked for your review</source>
        <translation>Předloženo ke schválení</translation>
    </message>
    <message>
        <source>Carried it out</source>
        <translation>Provedeno</translation>
    </message>
    <message>
        <source>Deleted mail</source>
        <translation>Smazaný e-mail</translation>
    </message>
    <message>
        <source>Asked the model for the next step</source>
        <translation>Dotaz modelu na další krok</translation>
    </message>
    <message>
        <source>Handed to you</source>
        <translation>Předáno vám</translation>
    </message>
    <message>
        <source>Checked the next step</source>
        <translation>Posouzení dalšího kroku</translation>
    </message>
    <message>
        <source>Received the message</source>
        <translation>Zpráva přijata</translation>
    </message>
    <message>
        <source>Got your answer</source>
        <translation>Vaše odpověď přijata</translation>
    </message>
    <message>
        <source>Got your decision</source>
        <translation>Vaše rozhodnutí přijato</translation>
    </message>
    <message>
        <source>Got your decision on the step</source>
        <translation>Vaše rozhodnutí o&#xa0;kroku přijato</translation>
    </message>
    <message>
        <source>Ran the step</source>
        <translation>Krok proveden</translation>
    </message>
    <message>
        <source>Finished; the email will be marked as read</source>
        <translation>Hotovo; e-mail se označí jako přečtený</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>Activity</source>
        <translation>Činnost</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Běhy</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Zatím se nic nestalo</translation>
    </message>
    <message>
        <source>The runs couldn&apos;t be loaded</source>
        <translation>Běhy se nepodařilo přečíst</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Grafy</translation>
    </message>
    <message>
        <source>Each email the assistant checks appears here with every step.</source>
        <translation>Každý e-mail, na který se asistent podívá, se tu objeví se všemi kroky.</translation>
    </message>
    <message>
        <source>Mailbox changes</source>
        <translation>Změny ve schránce</translation>
    </message>
    <message>
        <source>This run is no longer stored.</source>
        <translation>Tento běh už není uložený.</translation>
    </message>
</context>
<context>
    <name>AppearanceSection</name>
    <message>
        <source>Restart Replyroom to apply this to the whole window. Nothing you typed is lost.</source>
        <translation>Aby se to projevilo v&#xa0;celém okně, spusťte Replyroom znovu. O&#xa0;nic rozepsaného nepřijdete.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Spustit znovu</translation>
    </message>
    <message>
        <source>Appearance and keyboard</source>
        <translation>Vzhled a&#xa0;klávesnice</translation>
    </message>
    <message>
        <source>Use Gmail&apos;s shortcuts, those of desktop programs, or your own.</source>
        <translation>Klávesy jako v&#xa0;Gmailu, jako v&#xa0;počítačových programech nebo vlastní; každou lze změnit.</translation>
    </message>
    <message>
        <source>Your keys</source>
        <translation>Vaše klávesy</translation>
    </message>
    <message>
        <source>View all shortcuts.</source>
        <translation>Zobrazí všechny zkratky.</translation>
    </message>
    <message>
        <source>At a glance</source>
        <translation>Přehled</translation>
    </message>
</context>
<context>
    <name>ArchiveChoice</name>
    <message>
        <source>Old mail becomes a local account you can read and search. The file isn&apos;t changed, and nothing is sent.</source>
        <translation>Ze staré pošty vznikne místní účet, který můžete číst a&#xa0;prohledávat. Soubor se nezmění, nic se neodešle a&#xa0;žádný server se nic nedozví.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Folder of mail (Maildir, .mbox, .eml)…</source>
        <translation>Složka s&#xa0;poštou (Maildir, .mbox, .eml)…</translation>
    </message>
    <message>
        <source>mbox or Google Takeout file…</source>
        <translation>Soubor mbox nebo Google Takeout…</translation>
    </message>
    <message>
        <source>Remove its mail, keep the file</source>
        <translation>Odebrat jeho poštu, soubor nechat</translation>
    </message>
    <message>
        <source>Remove from here</source>
        <translation>Odebrat odsud</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Ukázat</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Pokračovat</translation>
    </message>
    <message>
        <source>Import a mail archive</source>
        <translation>Otevřít archiv pošty</translation>
    </message>
</context>
<context>
    <name>Archives</name>
    <message>
        <source>Importing %1: %2%, %3 emails</source>
        <translation>Čte se %1: %2&#xa0;%, uložené e‑maily: %3</translation>
    </message>
    <message>
        <source>Imported %1: %3 emails, in All mail</source>
        <translation>Archiv %1 je načten. Počet e‑mailů: %3; najdete je ve&#xa0;Veškeré poště.</translation>
    </message>
    <message>
        <source>Import of %1 paused at %2%. %3 emails imported.</source>
        <translation>Čtení archivu %1 je pozastaveno na&#xa0;%2&#xa0;%; uložené e‑maily: %3.</translation>
    </message>
    <message>
        <source>Only part of %1 could be read. %3 emails imported.</source>
        <translation>Podařilo se přečíst jen část souboru %1. Uložené e-maily: %3.</translation>
    </message>
</context>
<context>
    <name>ArchivesController</name>
    <message>
        <source>Mail archives (*.mbox *.mbx *.zip *.tgz *.tar *.gz *.eml *.emlx mbox)</source>
        <translation>Archivy pošty (*.mbox *.mbx *.zip *.tgz *.tar *.gz *.eml *.emlx mbox)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Všechny soubory (*)</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>Otevírá se %1…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Ukázat</translation>
    </message>
    <message>
        <source>Open All mail</source>
        <translation>Otevřít Veškerou poštu</translation>
    </message>
    <message>
        <source>Import a mail archive</source>
        <translation>Otevřít archiv pošty</translation>
    </message>
</context>
<context>
    <name>AskBar</name>
    <message>
        <source>In which account</source>
        <translation>Ve kterém účtu</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Zadat</translation>
    </message>
    <message>
        <source>Attach files for the assistant</source>
        <translation>Přidat soubory k&#xa0;přečtení</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Odebrat: %1</translation>
    </message>
    <message>
        <source>Follow up on “%1”</source>
        <translation>Navázat na „%1“</translation>
    </message>
    <message>
        <source>Without AI, I can find mail, and archive, star, trash or mark it as read.</source>
        <translation>Bez AI umím poštu najít a&#xa0;archivovat, označit hvězdičkou, vyhodit nebo označit jako přečtenou.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Vybrat model</translation>
    </message>
</context>
<context>
    <name>AskField</name>
    <message>
        <source>What the assistant should do</source>
        <translation>Co má asistent udělat</translation>
    </message>
    <message>
        <source>Ask anything about your mail…</source>
        <translation>Zadejte vlastními slovy, co udělat…</translation>
    </message>
    <message>
        <source>Ask about it…</source>
        <translation>Zeptejte se…</translation>
    </message>
</context>
<context>
    <name>AskedList</name>
    <message>
        <source>Answer these</source>
        <translation>Odpovědět na ně</translation>
    </message>
    <message>
        <source>Starts a reply with a greeting, these questions and a closing</source>
        <translation>Začne odpověď s&#xa0;pozdravem, těmito otázkami a&#xa0;závěrem</translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) that only you can answer:</source>
        <translation>
            <numerusform>Ptají se vás na %n věc, na kterou znáte odpověď jen vy:</numerusform>
            <numerusform>Ptají se vás na %n věci, na které znáte odpověď jen vy:</numerusform>
            <numerusform>Ptají se vás na %n věcí, na které znáte odpověď jen vy:</numerusform>
        </translation>
    </message>
    <message>
        <source>It needs a reply, but no question was found.</source>
        <translation>Čeká na odpověď; žádná otázka se v&#xa0;něm nenašla.</translation>
    </message>
    <message>
        <source>Answer this</source>
        <translation>Odpovědět na to</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Napsat</translation>
    </message>
</context>
<context>
    <name>Assistant</name>
    <message>
        <source>Find the last invoice</source>
        <translation>Najdi poslední fakturu</translation>
    </message>
    <message>
        <source>What did I promise to whom this week?</source>
        <translation>Co ode mě tento týden kdo čeká?</translation>
    </message>
    <message>
        <source>Find the last invoice and tell me what it was for</source>
        <translation>Najdi poslední fakturu a&#xa0;řekni mi, za co byla</translation>
    </message>
    <message>
        <source>planning</source>
        <translation>plánuje se</translation>
    </message>
    <message>
        <source>running</source>
        <translation>běží</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>čeká na vás</translation>
    </message>
    <message>
        <source>done</source>
        <translation>hotovo</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>nezdařilo se</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>zastaveno</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nezačato</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>čeká</translation>
    </message>
    <message>
        <source>declined</source>
        <translation>odmítnuto</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Hledání</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Vyhledat</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Vytvořit dokument</translation>
    </message>
    <message>
        <source>Email</source>
        <translation>Najít nebo napsat e-mail</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Odpověď</translation>
    </message>
    <message>
        <source>1 step, done</source>
        <translation>1 krok, hotovo</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>hotové kroky: %1 z&#xa0;%2</translation>
    </message>
    <message>
        <source>planned without a language model</source>
        <translation>naplánováno bez jazykového modelu</translation>
    </message>
    <message>
        <source>planned by %1</source>
        <translation>naplánoval %1</translation>
    </message>
    <message>
        <source>model calls: %1, tokens: %2, %3</source>
        <translation>volání modelu: %1, tokeny: %2, %3</translation>
    </message>
    <message>
        <source>less than %1</source>
        <translation>méně než %1</translation>
    </message>
    <message>
        <source>Find emails about the delivery</source>
        <translation>Najdi e-maily o&#xa0;té dodávce</translation>
    </message>
    <message>
        <source>Write a summary of the emails about the delivery and send it to me</source>
        <translation>Shrň e-maily o&#xa0;té dodávce a&#xa0;shrnutí mi pošli</translation>
    </message>
    <message>
        <source>review plan</source>
        <translation>plán ke kontrole</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>předáno</translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation>Tato konverzace</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Conversation “%1”</source>
        <translation>Konverzace „%1“</translation>
    </message>
    <message>
        <source>Inbox and sent</source>
        <translation>Doručené a&#xa0;odeslané</translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>Doručená pošta</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Odeslaná pošta</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>Od %1</translation>
    </message>
</context>
<context>
    <name>AssistantPage</name>
    <message>
        <source>Assistant</source>
        <translation>Asistent</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Požadavky</translation>
    </message>
</context>
<context>
    <name>AttachmentBar</name>
    <message>
        <source>This file is a program. You can save it but not open it here.</source>
        <translation>Tento soubor by se na vašem počítači spustil. Lze ho jen uložit.</translation>
    </message>
    <message>
        <source>Save the file</source>
        <translation>Uložit soubor</translation>
    </message>
    <message>
        <source>Save all</source>
        <translation>Uložit vše</translation>
    </message>
    <message>
        <source>The file could not be saved: %1</source>
        <translation>Soubor se nepodařilo uložit: %1</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>Uloženo jako %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n dalších</numerusform>
        </translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Otevřít</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Uložit jako…</translation>
    </message>
    <message>
        <source>Save all…</source>
        <translation>Uložit vše…</translation>
    </message>
    <message>
        <source>unnamed file</source>
        <translation>nepojmenovaný soubor</translation>
    </message>
    <message>
        <source>downloads when you&apos;re online</source>
        <translation>stáhne se, až budete online</translation>
    </message>
    <message>
        <source>failed, try again</source>
        <translation>nepodařilo se, zkuste to znovu</translation>
    </message>
    <message>
        <source>downloading %1%</source>
        <translation>stahuje se %1 %</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>unnamed file</source>
        <translation>nepojmenovaný soubor</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n dalších</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Backtest</name>
    <message>
        <source>Too few to learn from: you answered %1 of these emails, and %2 are needed. Until then, sorting uses general rules.</source>
        <translation>Na učení je to málo: odpověděli jste na %1 z&#xa0;těchto e-mailů a&#xa0;je jich třeba %2. Do té doby se třídí podle obecných pravidel.</translation>
    </message>
    <message>
        <source>Learned from %1 of your emails.</source>
        <translation>Naučeno z&#xa0;vašich e-mailů (%1).</translation>
    </message>
    <message>
        <source>You answer these more often than the general rules expect: %1.</source>
        <translation>Častěji, než čekají obecná pravidla, odpovídáte na: %1.</translation>
    </message>
    <message>
        <source>You answer these less often: %1.</source>
        <translation>Méně často odpovídáte na: %1.</translation>
    </message>
    <message>
        <source>senders you often answer</source>
        <translation>odesílatele, kterým často odpovídáte</translation>
    </message>
    <message>
        <source>people you know</source>
        <translation>lidi, které znáte</translation>
    </message>
    <message>
        <source>emails that ask something</source>
        <translation>e-maily, které se na něco ptají</translation>
    </message>
    <message>
        <source>conversations you take part in</source>
        <translation>konverzace, jichž se účastníte</translation>
    </message>
    <message>
        <source>mailing lists</source>
        <translation>e-mailové konference</translation>
    </message>
    <message>
        <source>automatic emails</source>
        <translation>automatické e-maily</translation>
    </message>
    <message>
        <source>emails you&apos;re only copied on</source>
        <translation>e-maily, které máte jen v&#xa0;kopii</translation>
    </message>
    <message>
        <source>colleagues</source>
        <translation>kolegy</translation>
    </message>
    <message>
        <source>strangers</source>
        <translation>neznámé</translation>
    </message>
    <message>
        <source>emails only to you</source>
        <translation>e-maily jen pro vás</translation>
    </message>
    <message>
        <source>emails to many people</source>
        <translation>e-maily mnoha lidem</translation>
    </message>
    <message>
        <source>emails that greet you by name</source>
        <translation>e-maily, které vás oslovují jménem</translation>
    </message>
    <message>
        <source>senders who write often</source>
        <translation>odesílatele, kteří píšou často</translation>
    </message>
    <message>
        <source>forwarded emails</source>
        <translation>přeposlané e-maily</translation>
    </message>
    <message>
        <source>very short emails</source>
        <translation>velmi krátké e-maily</translation>
    </message>
    <message>
        <source>long emails</source>
        <translation>dlouhé e-maily</translation>
    </message>
    <message>
        <source>From %1 to %2 you received %3 emails and answered %4.</source>
        <translation>Od %1 do %2 jste dostali %3 e-mailů a&#xa0;odpověděli na %4.</translation>
    </message>
    <message>
        <source>Needs reply: %1 emails, about %2 a week. You answered %3 of them.</source>
        <translation>K&#xa0;odpovědi: %1 e-mailů, asi %2 týdně. Na %3 z&#xa0;nich jste odpověděli.</translation>
    </message>
    <message>
        <source>Missed: %1 of the %2 emails you answered would not be in Needs reply.</source>
        <translation>Ušlo by: %1 z&#xa0;%2 e-mailů, na které jste odpověděli, by nebylo mezi těmi k&#xa0;odpovědi.</translation>
    </message>
    <message>
        <source>Hidden: %1 of these would not be in Review at all. Ignored in total: %2.</source>
        <translation>Skryto: %1 z&#xa0;nich by ve schvalování vůbec nebylo. Celkem přeskočeno: %2.</translation>
    </message>
</context>
<context>
    <name>BacktestDialog</name>
    <message>
        <source>Test on past email</source>
        <translation>Vyzkoušet na starší poště</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Účet</translation>
    </message>
    <message numerus="yes">
        <source>Last %n month(s)</source>
        <translation>
            <numerusform>Poslední %n měsíc</numerusform>
            <numerusform>Poslední %n měsíce</numerusform>
            <numerusform>Posledních %n měsíců</numerusform>
        </translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Období</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Vyzkoušet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Průběh</translation>
    </message>
    <message>
        <source>How many answered emails may be missed</source>
        <translation>Kolik zodpovězených e-mailů smí ujít</translation>
    </message>
    <message>
        <source>Missed emails</source>
        <translation>E-maily, které by ušly</translation>
    </message>
    <message>
        <source>In Needs reply, but not answered</source>
        <translation>K&#xa0;odpovědi, ale bez odpovědi</translation>
    </message>
    <message>
        <source>Listed emails</source>
        <translation>Zobrazené e-maily</translation>
    </message>
    <message>
        <source>Emails</source>
        <translation>E-maily</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Použít</translation>
    </message>
    <message>
        <source>Reset to standard</source>
        <translation>Vrátit standardní</translation>
    </message>
    <message>
        <source>Allowed misses</source>
        <translation>Povolená opomenutí</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Sorts your past email again, using only what was known before each message, and compares the result with what you answered within 14 days. Nothing is changed or sent.</source>
        <translation>Znovu roztřídí vaši starší poštu, každou zprávu jen podle toho, co bylo známo před ní, a&#xa0;porovná to s&#xa0;tím, na co jste do 14 dnů odpověděli. Nic se nemění ani neodesílá.</translation>
    </message>
    <message>
        <source>Add an account first.</source>
        <translation>Nejprve přidejte účet.</translation>
    </message>
    <message>
        <source>Reading your email…</source>
        <translation>Čte se vaše pošta…</translation>
    </message>
    <message>
        <source>Sorting your past email: %1 of %2</source>
        <translation>Třídí se starší pošta: %1 z&#xa0;%2</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Standardně</translation>
    </message>
    <message>
        <source>Current setting</source>
        <translation>Současné nastavení</translation>
    </message>
    <message>
        <source>%1 in 100 emails you answer</source>
        <translation>%1 ze 100 zodpovězených</translation>
    </message>
    <message>
        <source>You didn&apos;t answer any email in this period, so there&apos;s nothing to compare.</source>
        <translation>V&#xa0;tomto období jste na žádný e-mail neodpověděli, není tedy s&#xa0;čím porovnávat.</translation>
    </message>
    <message>
        <source>Applied. New email is sorted this way.</source>
        <translation>Použito. Nová pošta se třídí takto.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Sorting was reset to standard.</source>
        <translation>Třídění je opět standardní.</translation>
    </message>
</context>
<context>
    <name>BodyView</name>
    <message>
        <source>Message text</source>
        <translation>Text e-mailu</translation>
    </message>
    <message>
        <source>Show quoted text</source>
        <translation>Zobrazit citovaný text</translation>
    </message>
    <message>
        <source>This message takes too long to show with its formatting, so you see only its text.</source>
        <translation>Zobrazit tuto zprávu s&#xa0;formátováním trvá příliš dlouho, proto vidíte jen její text.</translation>
    </message>
    <message>
        <source>Hide quoted text</source>
        <translation>Skrýt citovaný text</translation>
    </message>
    <message>
        <source>Shown as plain text because Replyroom is running as root</source>
        <translation>Zobrazeno jako prostý text: zobrazení HTML pod správcem systému neběží</translation>
    </message>
    <message>
        <source>Show original colors</source>
        <translation>Zobrazit původní barvy</translation>
    </message>
    <message>
        <source>Show dark colors</source>
        <translation>Zobrazit tmavé barvy</translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message>
        <source>Charts</source>
        <translation>Grafy</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Období</translation>
    </message>
    <message numerus="yes">
        <source>the last %n day(s)</source>
        <translation>
            <numerusform>poslední %n den</numerusform>
            <numerusform>poslední %n dny</numerusform>
            <numerusform>posledních %n dnů</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Běhy</translation>
    </message>
    <message>
        <source>What happened to drafts</source>
        <translation>Co se stalo s&#xa0;koncepty</translation>
    </message>
    <message>
        <source>Time per email</source>
        <translation>Čas na e-mail</translation>
    </message>
    <message>
        <source>Language model usage</source>
        <translation>Využití jazykového modelu</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Činnost</translation>
    </message>
    <message>
        <source>Chart data</source>
        <translation>Čísla z&#xa0;grafů</translation>
    </message>
    <message>
        <source>The numbers couldn&apos;t be loaded</source>
        <translation>Čísla se nepodařilo načíst</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>As charts</source>
        <translation>Jako grafy</translation>
    </message>
    <message>
        <source>As a table</source>
        <translation>Jako tabulku</translation>
    </message>
    <message>
        <source>No data yet</source>
        <translation>Zatím není co zobrazit</translation>
    </message>
    <message>
        <source>Daily median</source>
        <translation>Medián dne</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokeny</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n volání</numerusform>
            <numerusform>%n volání</numerusform>
            <numerusform>%n volání</numerusform>
        </translation>
    </message>
    <message>
        <source>No language model was used.</source>
        <translation>Jazykový model nebyl použit.</translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) decided</source>
        <translation>
            <numerusform>rozhodnuto o&#xa0;%n konceptu</numerusform>
            <numerusform>rozhodnuto o&#xa0;%n konceptech</numerusform>
            <numerusform>rozhodnuto o&#xa0;%n konceptech</numerusform>
        </translation>
    </message>
    <message>
        <source>No drafts decided.</source>
        <translation>O&#xa0;žádném konceptu nebylo rozhodnuto.</translation>
    </message>
    <message>
        <source>%1 k</source>
        <translation>%1 tis.</translation>
    </message>
    <message>
        <source>as proposed</source>
        <translation>beze změny</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>upraveno</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>zamítnuto</translation>
    </message>
    <message>
        <source>tokens: %1</source>
        <translation>tokeny: %1</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Den</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>Druhy</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Koncepty</translation>
    </message>
    <message>
        <source>Model usage</source>
        <translation>Využití modelu</translation>
    </message>
    <message>
        <source>Emails by type</source>
        <translation>E-maily podle druhu</translation>
    </message>
    <message>
        <source>Once the assistant has checked some mail, you can see here how much, how long it took and what it cost.</source>
        <translation>Až asistent projde nějakou poštu, uvidíte tu, kolik jí bylo, jak dlouho to trvalo a&#xa0;kolik to stálo.</translation>
    </message>
    <message>
        <source>Median time: %1</source>
        <translation>Polovina e-mailů trvala méně než %1.</translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) checked</source>
        <translation>
            <numerusform>%n zpracovaný e-mail</numerusform>
            <numerusform>%n zpracované e-maily</numerusform>
            <numerusform>%n zpracovaných e-mailů</numerusform>
        </translation>
    </message>
    <message>
        <source>no emails checked</source>
        <translation>žádný zpracovaný e-mail</translation>
    </message>
    <message>
        <source>Emails</source>
        <translation>E-maily</translation>
    </message>
</context>
<context>
    <name>CheatSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Klávesové zkratky</translation>
    </message>
    <message>
        <source>Change shortcuts…</source>
        <translation>Změnit…</translation>
    </message>
</context>
<context>
    <name>ChooseScreen</name>
    <message>
        <source>Welcome to Replyroom</source>
        <translation>Vítejte v&#xa0;Replyroomu</translation>
    </message>
    <message>
        <source>Try the sample mailbox</source>
        <translation>Vyzkoušet ukázkovou schránku</translation>
    </message>
    <message>
        <source>Connect Gmail</source>
        <translation>Připojit Gmail</translation>
    </message>
    <message>
        <source>Your mail stays on this computer. Replyroom drafts replies; you approve what&apos;s sent.</source>
        <translation>Čte vaši poštu na tomto počítači, připravuje odpovědi a&#xa0;odesílá jen to, co schválíte.</translation>
    </message>
    <message>
        <source>Explore with a bike shop&apos;s inbox. Nothing is sent.</source>
        <translation>Schránka malé cyklodílny, jen na tomto počítači. Nic ho neopustí.</translation>
    </message>
    <message>
        <source>Set up once with your own Google credentials (about 10 minutes).</source>
        <translation>S&#xa0;vlastním klientem Googlu, ve čtyřech krocích. Jednou, asi deset minut.</translation>
    </message>
    <message>
        <source>Import a mail archive</source>
        <translation>Otevřít archiv pošty</translation>
    </message>
    <message>
        <source>Read and search an mbox, Maildir or Google Takeout export.</source>
        <translation>Soubor mbox, složka Maildir nebo soubor Google Takeout, ke čtení a&#xa0;hledání na tomto počítači. Nic se neodešle.</translation>
    </message>
    <message>
        <source>Sign in to Google in your browser.</source>
        <translation>Přihlaste se ke Googlu v&#xa0;prohlížeči.</translation>
    </message>
    <message>
        <source>Use your own Google client…</source>
        <translation>Použít vlastního klienta Googlu…</translation>
    </message>
</context>
<context>
    <name>ClientFileField</name>
    <message>
        <source>client_secret_….json</source>
        <translation>client_secret_….json</translation>
    </message>
    <message>
        <source>Client file</source>
        <translation>Soubor klienta</translation>
    </message>
    <message>
        <source>JSON files (*.json);;All files (*)</source>
        <translation>Soubory JSON (*.json);;Všechny soubory (*)</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>Vybrat soubor…</translation>
    </message>
</context>
<context>
    <name>CodeBar</name>
    <message>
        <source>Code: %1</source>
        <translation>Kód: %1</translation>
    </message>
    <message>
        <source>Code copied.</source>
        <translation>Kód je zkopírovaný.</translation>
    </message>
    <message>
        <source>This message has no one-time code.</source>
        <translation>V&#xa0;této zprávě není jednorázový kód.</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Changes from the original draft</source>
        <translation>Rozdíl mezi navrženým a&#xa0;nynějším konceptem</translation>
    </message>
</context>
<context>
    <name>ComposeForm</name>
    <message>
        <source>Back</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Returns to the inbox on %1 if nobody replies</source>
        <translation>Bez odpovědi se vrátí do doručené pošty %1</translation>
    </message>
</context>
<context>
    <name>ComposePage</name>
    <message>
        <source>More templates…</source>
        <translation>Ostatní podle názvu…</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Psaní</translation>
    </message>
    <message>
        <source>Add at least one recipient.</source>
        <translation>Komu? Přidejte adresu.</translation>
    </message>
    <message>
        <source>Fill in or delete the blanks.</source>
        <translation>Doplňte prázdná místa, nebo je smažte.</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Přesto odeslat</translation>
    </message>
    <message>
        <source>Discarded.</source>
        <translation>Zahozeno.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Sending at %1.</source>
        <translation>Odešle se %1.</translation>
    </message>
    <message>
        <source>No message open</source>
        <translation>Nic se nepíše</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Přiložit soubory</translation>
    </message>
    <message>
        <source>It&apos;s already being sent.</source>
        <translation>Už se odesílá.</translation>
    </message>
    <message>
        <source>Saved to Drafts</source>
        <translation>Uloženo v&#xa0;konceptech.</translation>
    </message>
    <message numerus="yes">
        <source>Sending in %n second(s).</source>
        <translation>
            <numerusform>Odejde za %n sekundu.</numerusform>
            <numerusform>Odejde za %n sekundy.</numerusform>
            <numerusform>Odejde za %n sekund.</numerusform>
        </translation>
    </message>
    <message>
        <source>Drafts are saved here and in Gmail as you type.</source>
        <translation>Co píšete, se průběžně ukládá, i&#xa0;do konceptů v&#xa0;Gmailu.</translation>
    </message>
    <message>
        <source>Compose</source>
        <translation>Napsat e-mail</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a valid email address.</source>
        <translation>„%1“ není e-mailová adresa.</translation>
    </message>
    <message>
        <source>“%1” is still downloading from Gmail. Wait or remove it, then choose the other address.</source>
        <translation>Příloha „%1“ se ještě stahuje z&#xa0;Gmailu. Počkejte na ni, nebo ji odeberte; pak zvolte druhou adresu.</translation>
    </message>
    <message>
        <source>Send and archive</source>
        <translation>Odeslat a&#xa0;archivovat</translation>
    </message>
    <message>
        <source>Send only</source>
        <translation>Jen odeslat</translation>
    </message>
    <message>
        <source>The reminder is set before the message is sent. Choose a later time.</source>
        <translation>Připomínka je dřív, než zpráva odejde. Zvolte pozdější čas.</translation>
    </message>
</context>
<context>
    <name>ConnectionStatus</name>
    <message>
        <source>You&apos;re offline. Once approved, this is sent when you&apos;re back online.</source>
        <translation>Jste offline: po schválení se odešle, jakmile budete zase online.</translation>
    </message>
    <message>
        <source>You&apos;re signed out. Once approved, this is sent after you sign in again.</source>
        <translation>Google žádá přihlášení: po schválení se odešle, až se přihlásíte.</translation>
    </message>
    <message>
        <source>The account is paused. Once approved, this is sent when you resume it.</source>
        <translation>Účet je pozastaven: po schválení se odešle, až ho necháte pokračovat.</translation>
    </message>
    <message>
        <source>You&apos;re offline. This is sent when you&apos;re back online.</source>
        <translation>Jste offline: e-mail se odešle, jakmile budete zase online.</translation>
    </message>
    <message>
        <source>You&apos;re signed out. This is sent after you sign in again.</source>
        <translation>Google žádá přihlášení: e-mail se odešle, až se přihlásíte.</translation>
    </message>
    <message>
        <source>The account is paused. This is sent when you resume it.</source>
        <translation>Účet je pozastaven: e-mail se odešle, až ho necháte pokračovat.</translation>
    </message>
    <message>
        <source>You&apos;re offline. This is done when you&apos;re back online.</source>
        <translation>Jste offline: provede se, jakmile budete zase online.</translation>
    </message>
    <message>
        <source>You&apos;re signed out. This is done after you sign in again.</source>
        <translation>Google žádá přihlášení: provede se, až se přihlásíte.</translation>
    </message>
    <message>
        <source>The account is paused. This is done when you resume it.</source>
        <translation>Účet je pozastaven: provede se, až ho necháte pokračovat.</translation>
    </message>
</context>
<context>
    <name>ContactCard</name>
    <message>
        <source>Your note about this person</source>
        <translation>Vaše poznámka o&#xa0;tomto člověku</translation>
    </message>
    <message>
        <source>You seem to have promised (%1): “%2”</source>
        <translation>Zřejmě jste slíbili (%1): „%2“</translation>
    </message>
    <message numerus="yes">
        <source>%n sent</source>
        <translation>
            <numerusform>%n odeslaný</numerusform>
            <numerusform>%n odeslané</numerusform>
            <numerusform>%n odeslaných</numerusform>
        </translation>
    </message>
    <message>
        <source>last contact %1</source>
        <translation>naposledy %1</translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) received</source>
        <translation>
            <numerusform>%n přijatý e-mail</numerusform>
            <numerusform>%n přijaté e-maily</numerusform>
            <numerusform>%n přijatých e-mailů</numerusform>
        </translation>
    </message>
    <message>
        <source>Your note, for example how to write to this person</source>
        <translation>Vaše poznámka, třeba jak této osobě psát</translation>
    </message>
</context>
<context>
    <name>ConversationDesk</name>
    <message>
        <source>This conversation is in a local archive, not in Gmail.</source>
        <translation>Tato konverzace je z&#xa0;archivu v&#xa0;tomto počítači; v&#xa0;Gmailu není.</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Zkopírováno: %1</translation>
    </message>
</context>
<context>
    <name>ConversationText</name>
    <message>
        <source>Conversation</source>
        <translation>Konverzace</translation>
    </message>
    <message>
        <source>Show quoted text</source>
        <translation>Zobrazit citovaný text</translation>
    </message>
</context>
<context>
    <name>Correction</name>
    <message>
        <source>Needs &amp;reply</source>
        <translation>K&#xa0;odpo&amp;vědi</translation>
    </message>
    <message>
        <source>For your &amp;information</source>
        <translation>Pro &amp;informaci</translation>
    </message>
    <message>
        <source>No &amp;action</source>
        <translation>Nic k&#xa0;ř&amp;ešení</translation>
    </message>
    <message>
        <source>&amp;Spam</source>
        <translation>&amp;Spam</translation>
    </message>
    <message>
        <source>&amp;Not spam</source>
        <translation>&amp;Není spam</translation>
    </message>
    <message>
        <source>&amp;Phishing</source>
        <translation>&amp;Phishing</translation>
    </message>
    <message>
        <source>Not s&amp;uspicious</source>
        <translation>Není p&amp;odezřelé</translation>
    </message>
    <message>
        <source>Needs reply. A draft will appear in Review.</source>
        <translation>K&#xa0;odpovědi. Koncept se objeví ve Schvalování.</translation>
    </message>
    <message>
        <source>For your information. No draft.</source>
        <translation>Pro informaci. Bez konceptu.</translation>
    </message>
    <message>
        <source>No action. Email like this stays out of Review.</source>
        <translation>Nic k&#xa0;řešení. Takové e-maily se ve Schvalování neobjeví.</translation>
    </message>
    <message>
        <source>Moved to Spam.</source>
        <translation>Přesunuto do spamu.</translation>
    </message>
    <message>
        <source>Not spam. It is back in the inbox.</source>
        <translation>Není spam. Je zpět v&#xa0;doručené poště.</translation>
    </message>
    <message>
        <source>Reported as phishing and moved to Spam.</source>
        <translation>Nahlášeno jako phishing a&#xa0;přesunuto do spamu.</translation>
    </message>
    <message>
        <source>Not suspicious. The warning is gone.</source>
        <translation>Není podezřelé. Varování zmizelo.</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>Vráceno zpět.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Sorted wrongly? It should have been</source>
        <translation>Špatně zařazeno? Mělo to být</translation>
    </message>
</context>
<context>
    <name>DayCalendar</name>
    <message>
        <source>The day with the meeting. Arrow keys move it; Shift moves its end.</source>
        <translation>Den se schůzkou. Šipky ji posouvají, s&#xa0;klávesou Shift její konec.</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>obsazeno</translation>
    </message>
    <message>
        <source>free</source>
        <translation>volno</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>není známo</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 až %2</translation>
    </message>
</context>
<context>
    <name>Decisions</name>
    <message numerus="yes">
        <source>Approved. Sending in %n second(s).</source>
        <translation>
            <numerusform>Schváleno. Odejde za %n sekundu.</numerusform>
            <numerusform>Schváleno. Odejde za %n sekundy.</numerusform>
            <numerusform>Schváleno. Odejde za %n sekund.</numerusform>
        </translation>
    </message>
    <message>
        <source>Saving as a Gmail draft.</source>
        <translation>Uloží se jako koncept v&#xa0;Gmailu.</translation>
    </message>
    <message numerus="yes">
        <source>Approved. Adding the meeting in %n second(s).</source>
        <translation>
            <numerusform>Schváleno. Schůzka se zapíše za %n sekundu.</numerusform>
            <numerusform>Schváleno. Schůzka se zapíše za %n sekundy.</numerusform>
            <numerusform>Schváleno. Schůzka se zapíše za %n sekund.</numerusform>
        </translation>
    </message>
    <message>
        <source>Back in Review.</source>
        <translation>Zpět ve Schvalování.</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>Hotovo.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vzít zpět</translation>
    </message>
    <message>
        <source>Approved. Adding the meeting now.</source>
        <translation>Schváleno. Schůzka se zapisuje.</translation>
    </message>
    <message>
        <source>Approved. Sending now.</source>
        <translation>Schváleno. Odchází hned.</translation>
    </message>
    <message>
        <source>Approved. Sending at %1.</source>
        <translation>Schváleno. Odejde %1.</translation>
    </message>
    <message>
        <source>Working on it. The result will appear here.</source>
        <translation>Předáno; výsledek se objeví tady.</translation>
    </message>
    <message>
        <source>Rejected.</source>
        <translation>Zamítnuto.</translation>
    </message>
    <message>
        <source>Dismissed.</source>
        <translation>Zavřeno.</translation>
    </message>
    <message>
        <source>Approved. Doing it now.</source>
        <translation>Schváleno. Provede se hned.</translation>
    </message>
    <message>
        <source>Approved. %1</source>
        <translation>Schváleno. %1</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) dismissed.</source>
        <translation>
            <numerusform>Zavřena %n položka.</numerusform>
            <numerusform>Zavřeny %n položky.</numerusform>
            <numerusform>Zavřeno %n položek.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undoing…</source>
        <translation>Vracím zpět…</translation>
    </message>
    <message>
        <source>Rejected: %1</source>
        <translation>Zamítnuto: %1</translation>
    </message>
</context>
<context>
    <name>DetailPanel</name>
    <message>
        <source>Back to the queue</source>
        <translation>Zpět do fronty</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Zamítnout</translation>
    </message>
    <message>
        <source>The email this is about is no longer in the mailbox.</source>
        <translation>E-mail, kterého se to týká, už ve schránce není.</translation>
    </message>
    <message>
        <source>A new email you asked the assistant to write.</source>
        <translation>Nový e-mail, o&#xa0;který jste asistenta požádali.</translation>
    </message>
    <message>
        <source>The assistant needs this for your request.</source>
        <translation>Asistent se na to ptá kvůli tomu, o&#xa0;co jste ho požádali.</translation>
    </message>
    <message>
        <source>Changes from the original draft</source>
        <translation>Porovnání navrženého a&#xa0;nynějšího konceptu</translation>
    </message>
    <message>
        <source>Approve and archive</source>
        <translation>Schválit a&#xa0;archivovat</translation>
    </message>
    <message>
        <source>Approve only</source>
        <translation>Jen schválit</translation>
    </message>
    <message>
        <source>Send anyway…</source>
        <translation>Přesto odeslat…</translation>
    </message>
    <message>
        <source>Do it anyway…</source>
        <translation>Přesto provést…</translation>
    </message>
</context>
<context>
    <name>DocumentBar</name>
    <message>
        <source>Open</source>
        <translation>Otevřít</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Uložit jako…</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>The assistant made “%1” from what it read. Open it?</source>
        <translation>„%1“ vytvořil asistent z&#xa0;toho, co přečetl. Otevřít?</translation>
    </message>
    <message>
        <source>“%1” is a program. You can save it but not open it here.</source>
        <translation>„%1“ by se ve vašem počítači spustil. Lze ho jen uložit.</translation>
    </message>
    <message>
        <source>The document is no longer available.</source>
        <translation>Dokument už tu není.</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Náhled</translation>
    </message>
    <message>
        <source>Only the beginning is shown.</source>
        <translation>To je jen začátek.</translation>
    </message>
</context>
<context>
    <name>DraftAttachments</name>
    <message>
        <source>not attached</source>
        <translation>nepřiloží se</translation>
    </message>
    <message>
        <source>Open or save %1</source>
        <translation>Otevřít nebo uložit: %1</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Vrátit</translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation>Vrátit: %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Odebrat: %1</translation>
    </message>
</context>
<context>
    <name>DraftBelow</name>
    <message>
        <source>Draft reply</source>
        <translation>Návrh odpovědi</translation>
    </message>
    <message>
        <source>Drafting a reply…</source>
        <translation>Připravuje se odpověď…</translation>
    </message>
    <message>
        <source>The draft is ready.</source>
        <translation>Koncept je připraven.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Otevřít</translation>
    </message>
</context>
<context>
    <name>DraftCard</name>
    <message>
        <source>To</source>
        <translation>Komu</translation>
    </message>
    <message>
        <source>Cc</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>Bcc</source>
        <translation>Skrytá kopie</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Předmět</translation>
    </message>
    <message>
        <source>Draft text</source>
        <translation>Text konceptu</translation>
    </message>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n slovo</numerusform>
            <numerusform>%n slova</numerusform>
            <numerusform>%n slov</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n blank(s) left: fill in or delete “%1” first.</source>
        <translation>
            <numerusform>Zbývá %n nevyplněné místo: nejdřív doplňte nebo smažte „%1“.</numerusform>
            <numerusform>Zbývají %n nevyplněná místa: nejdřív doplňte nebo smažte „%1“.</numerusform>
            <numerusform>Zbývá %n nevyplněných míst: nejdřív doplňte nebo smažte „%1“.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add at least one recipient.</source>
        <translation>V&#xa0;řádku Komu nikdo není.</translation>
    </message>
    <message>
        <source>The draft has no text.</source>
        <translation>Koncept nemá text.</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a valid email address.</source>
        <translation>„%1“ není e-mailová adresa.</translation>
    </message>
</context>
<context>
    <name>DraftingSection</name>
    <message>
        <source>Drafting</source>
        <translation>Koncepty</translation>
    </message>
    <message>
        <source>See the preview…</source>
        <translation>Zobrazit náhled…</translation>
    </message>
    <message>
        <source>Unread mail</source>
        <translation>Nepřečtená pošta</translation>
    </message>
    <message>
        <source>See what will be checked and what it will cost before anything starts.</source>
        <translation>Na co by se asistent podíval a&#xa0;co by to stálo, než cokoli začne.</translation>
    </message>
    <message>
        <source>Nothing is ever sent without your approval.</source>
        <translation>Bez vašeho schválení se nic neodešle, ať je tu nastaveno cokoli.</translation>
    </message>
</context>
<context>
    <name>DraftsPage</name>
    <message>
        <source>Drafts</source>
        <translation>Koncepty</translation>
    </message>
    <message>
        <source>No drafts</source>
        <translation>Žádné koncepty</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Created in another app. Open it here to edit, or delete it in Gmail.</source>
        <translation>Tento koncept začal jiný program. Nejdřív jej tady otevřete, nebo jej smažte v&#xa0;Gmailu.</translation>
    </message>
    <message>
        <source>Drafts are saved here and in Gmail as you type.</source>
        <translation>Co píšete, se sem průběžně ukládá, i&#xa0;do konceptů v&#xa0;Gmailu.</translation>
    </message>
    <message>
        <source>Compose</source>
        <translation>Napsat e-mail</translation>
    </message>
</context>
<context>
    <name>ExampleRequests</name>
    <message>
        <source>Finds and summarizes mail, creates documents and drafts emails. You see the plan first.</source>
        <translation>Najde a&#xa0;přečte vaši poštu, shrne ji, vytvoří dokumenty a&#xa0;navrhne e-maily. Plán uvidíte předem.</translation>
    </message>
    <message>
        <source>No requests yet</source>
        <translation>Zatím jste nic nezadali</translation>
    </message>
    <message>
        <source>The assistant works with your mail. Connect an account first.</source>
        <translation>Asistent pracuje s&#xa0;vaší poštou. Nejdřív připojte účet.</translation>
    </message>
    <message>
        <source>No account yet</source>
        <translation>Zatím žádný účet</translation>
    </message>
    <message>
        <source>Connect an account</source>
        <translation>Připojit účet</translation>
    </message>
</context>
<context>
    <name>FeedbackBar</name>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
</context>
<context>
    <name>FileErrorNotice</name>
    <message>
        <source>Open the file</source>
        <translation>Otevřít soubor</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1, řádek %2</translation>
    </message>
    <message>
        <source>This file has a mistake: %1</source>
        <translation>V&#xa0;tomto souboru je chyba: %1</translation>
    </message>
    <message>
        <source>Below is the last working version. It applies until you fix the file.</source>
        <translation>Níže je poslední správný stav; platí, dokud soubor neopravíte.</translation>
    </message>
    <message>
        <source>None of it applies until you fix it.</source>
        <translation>Dokud ho neopravíte, nic z&#xa0;něj neplatí.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this message</source>
        <translation>Najít v&#xa0;této zprávě</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Předchozí výskyt (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Další výskyt (Enter)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Zavřít (Esc)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 z&#xa0;%2</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nenalezeno</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>in the subject</source>
        <translation>v&#xa0;předmětu</translation>
    </message>
    <message>
        <source>in the sender</source>
        <translation>v&#xa0;odesílateli</translation>
    </message>
    <message>
        <source>in the recipients</source>
        <translation>v&#xa0;příjemcích</translation>
    </message>
    <message>
        <source>in the text</source>
        <translation>v&#xa0;textu</translation>
    </message>
    <message>
        <source>in the label</source>
        <translation>ve štítku</translation>
    </message>
    <message>
        <source>in a file</source>
        <translation>v&#xa0;souboru</translation>
    </message>
    <message>
        <source>in the date</source>
        <translation>v&#xa0;datu</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>related</source>
        <translation>podobné významem</translation>
    </message>
</context>
<context>
    <name>FlagBar</name>
    <message numerus="yes">
        <source>%n note(s):</source>
        <translation>
            <numerusform>%n poznámka:</numerusform>
            <numerusform>%n poznámky:</numerusform>
            <numerusform>%n poznámek:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Flags</name>
    <message>
        <source>%1 isn&apos;t part of this conversation.</source>
        <translation>%1 se této konverzace neúčastní.</translation>
    </message>
    <message>
        <source>You have never written to %1.</source>
        <translation>Na adresu %1 jste ještě nepsali.</translation>
    </message>
    <message>
        <source>%1 looks like an address you know but isn&apos;t.</source>
        <translation>%1 se podobá adrese, kterou znáte, ale je to jiná.</translation>
    </message>
    <message>
        <source>%1 gets a blind copy.</source>
        <translation>%1 dostane skrytou kopii.</translation>
    </message>
    <message>
        <source>The link %1 isn&apos;t yours.</source>
        <translation>Odkaz %1 není od vás.</translation>
    </message>
    <message>
        <source>Attached: %1.</source>
        <translation>Připojen je soubor: %1.</translation>
    </message>
    <message>
        <source>This looks like a code, a key or an account number: %1.</source>
        <translation>Tohle vypadá jako kód, klíč nebo číslo účtu: %1.</translation>
    </message>
    <message>
        <source>Contains text that some recipients have not seen: “%1”.</source>
        <translation>Cituje text, který někteří příjemci neviděli: „%1“.</translation>
    </message>
    <message>
        <source>This would be email number %1 for the same request.</source>
        <translation>Pro tutéž žádost by to byl e-mail číslo %1.</translation>
    </message>
    <message>
        <source>Replies go to %1, not to the sender.</source>
        <translation>Odpovědi jdou na adresu %1, která není adresou odesílatele.</translation>
    </message>
    <message>
        <source>You didn&apos;t mention %1. It comes from what the assistant read.</source>
        <translation>%1 nepochází od vás; je to z&#xa0;toho, co asistent přečetl.</translation>
    </message>
    <message>
        <source>You&apos;re busy then: %1.</source>
        <translation>V&#xa0;té době už něco máte: %1.</translation>
    </message>
    <message>
        <source>%1 seems to pretend to be someone else.</source>
        <translation>%1 se zřejmě vydává za někoho jiného.</translation>
    </message>
    <message>
        <source>%1 is outside your working hours.</source>
        <translation>%1 je mimo vaši pracovní dobu.</translation>
    </message>
</context>
<context>
    <name>FocusMode</name>
    <message>
        <source>Exit focus mode</source>
        <translation>Zpět k&#xa0;seznamu</translation>
    </message>
    <message numerus="yes">
        <source>%n left</source>
        <translation>
            <numerusform>zbývá %n</numerusform>
            <numerusform>zbývají %n</numerusform>
            <numerusform>zbývá %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Form</name>
    <message>
        <source>Not saved yet</source>
        <translation>Zatím neuloženo</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Ukládám…</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Uloženo</translation>
    </message>
    <message>
        <source>Write a number from %1 to %2.</source>
        <translation>Napište číslo od %1 do %2.</translation>
    </message>
</context>
<context>
    <name>GuidePictures</name>
    <message>
        <source>Picture: a form with the project&apos;s name and the button Create.</source>
        <translation>Obrázek: formulář s&#xa0;názvem projektu a&#xa0;tlačítkem Create.</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>New project</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Create</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancel</translation>
    </message>
    <message>
        <source>Picture: the publishing status “Testing”, and below it the button Publish app.</source>
        <translation>Obrázek: stav „Testing“ a&#xa0;pod ním tlačítko Publish app.</translation>
    </message>
    <message>
        <source>Publishing status: Testing</source>
        <translation>Publishing status: Testing</translation>
    </message>
    <message>
        <source>Publish app</source>
        <translation>Publish app</translation>
    </message>
    <message>
        <source>Picture: the application type “Desktop app” is chosen; below it the button Download JSON.</source>
        <translation>Obrázek: je vybrán typ „Desktop app“; pod ním tlačítko Download JSON.</translation>
    </message>
    <message>
        <source>Application type</source>
        <translation>Application type</translation>
    </message>
    <message>
        <source>Desktop app</source>
        <translation>Desktop app</translation>
    </message>
    <message>
        <source>Download JSON</source>
        <translation>Download JSON</translation>
    </message>
    <message>
        <source>Picture: Google&apos;s warning with Advanced and the link to continue, then checked permissions and the button Continue.</source>
        <translation>Obrázek: varování Googlu s&#xa0;tlačítkem Rozšířené a&#xa0;cestou dál, potom zaškrtnutá oprávnění a&#xa0;tlačítko Pokračovat.</translation>
    </message>
    <message>
        <source>Google hasn’t verified this app</source>
        <translation>Google tuto aplikaci neověřil</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Rozšířené</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Pokračovat</translation>
    </message>
</context>
<context>
    <name>GuideScreen</name>
    <message>
        <source>Connect Gmail</source>
        <translation>Připojit Gmail</translation>
    </message>
    <message>
        <source>Sign in to Google</source>
        <translation>Přihlásit se ke Googlu</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Enable the Gmail API</source>
        <translation>Zapnout Gmail API</translation>
    </message>
    <message>
        <source>Publish it</source>
        <translation>Zveřejněte ho</translation>
    </message>
    <message>
        <source>Open the consent screen</source>
        <translation>Otevřít obrazovku souhlasu</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Přihlaste se</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>Vybrat jiný soubor…</translation>
    </message>
    <message>
        <source>Replyroom runs without a server, so you sign in with your own Google credentials.</source>
        <translation>Replyroom nemá server: přihlašuje se klientem Googlu, který je jen váš.</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>Vybrat soubor…</translation>
    </message>
    <message>
        <source>Create a project</source>
        <translation>Vytvořte projekt</translation>
    </message>
    <message>
        <source>In Google Cloud, create a project and enable the Gmail API. It&apos;s free.</source>
        <translation>V&#xa0;konzoli Googlu vytvořte projekt a&#xa0;zapněte v&#xa0;něm Gmail API. Nic to nestojí.</translation>
    </message>
    <message>
        <source>Set up the consent screen for external users and press “Publish app”. In testing mode, Google signs you out every 7 days.</source>
        <translation>Nastavte obrazovku souhlasu pro externí uživatele a&#xa0;stiskněte „Publish app“. V&#xa0;testovacím režimu Google přihlášení každých 7 dní ukončí.</translation>
    </message>
    <message>
        <source>Create credentials and choose the file</source>
        <translation>Vytvořte klienta a&#xa0;načtěte jeho soubor</translation>
    </message>
    <message>
        <source>Open the credentials page</source>
        <translation>Otevřít klienty</translation>
    </message>
    <message>
        <source>Your browser opens. Google will warn that the app isn&apos;t verified. It&apos;s yours, so choose Advanced › Continue and allow access.</source>
        <translation>Otevře se prohlížeč. Google upozorní, že aplikaci neověřil. Je vaše, takže zvolte Rozšířené › Pokračovat a&#xa0;povolte přístup.</translation>
    </message>
    <message>
        <source>File not found: %1.</source>
        <translation>Soubor %1 neexistuje.</translation>
    </message>
    <message>
        <source>Project ID, for example replyroom-123456</source>
        <translation>ID projektu, například replyroom-123456</translation>
    </message>
    <message>
        <source>Project ID</source>
        <translation>ID projektu</translation>
    </message>
    <message>
        <source>Found %1 in your downloads.</source>
        <translation>Ve stažených souborech je %1.</translation>
    </message>
    <message>
        <source>Create an OAuth client of the type “Desktop app” and download its JSON file. Replyroom finds it in your downloads.</source>
        <translation>Vytvořte klienta OAuth typu „Počítačová aplikace“ a&#xa0;stáhněte jeho soubor JSON. Replyroom ho ve stažených souborech najde.</translation>
    </message>
</context>
<context>
    <name>HandingOver</name>
    <message>
        <source>Ask the assistant: “%1”</source>
        <translation>Zadat asistentovi: „%1“</translation>
    </message>
</context>
<context>
    <name>ImageDialog</name>
    <message>
        <source>This picture can&apos;t be shown.</source>
        <translation>Tento obrázek nelze zobrazit.</translation>
    </message>
</context>
<context>
    <name>ImportProgressDialog</name>
    <message>
        <source>Import progress</source>
        <translation>Jak daleko je archiv přečten</translation>
    </message>
    <message>
        <source>Stop import…</source>
        <translation>Zrušit čtení…</translation>
    </message>
    <message>
        <source>Keep imported mail</source>
        <translation>Ponechat načtené</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pozastavit</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Importing a mail archive</source>
        <translation>Čtení archivu pošty</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>Odebrat</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Pokračovat</translation>
    </message>
    <message>
        <source>Open All mail</source>
        <translation>Otevřít Veškerou poštu</translation>
    </message>
    <message>
        <source>Emails read: %1. New: %2. Already here: %3.</source>
        <translation>Přečteno e-mailů: %1. Nových: %2. Už tu bylo: %3.</translation>
    </message>
    <message>
        <source>Stop the import? “Keep” saves the emails imported so far (%1). “Remove it” deletes them from this computer. The file itself is not changed.</source>
        <translation>Ukončit čtení? „Ponechat“ nechá načtené e‑maily (%1). „Odebrat“ odebere archiv z&#xa0;tohoto počítače. Samotného souboru se to netýká.</translation>
    </message>
</context>
<context>
    <name>InvitationCard</name>
    <message>
        <source>Canceled</source>
        <translation>Zrušeno</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Odpovědět</translation>
    </message>
    <message>
        <source>Invitation</source>
        <translation>Pozvánka</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n dalších</numerusform>
        </translation>
    </message>
    <message>
        <source>When</source>
        <translation>Kdy</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Opakuje se</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Kde</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Od</translation>
    </message>
    <message>
        <source>Guests</source>
        <translation>Hosté</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Přijato</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>Odmítnuto</translation>
    </message>
    <message>
        <source>Maybe</source>
        <translation>Možná</translation>
    </message>
    <message>
        <source>Untitled event</source>
        <translation>Událost bez názvu</translation>
    </message>
    <message>
        <source>every day</source>
        <translation>každý den</translation>
    </message>
    <message>
        <source>every week</source>
        <translation>každý týden</translation>
    </message>
    <message>
        <source>every month</source>
        <translation>každý měsíc</translation>
    </message>
    <message>
        <source>every year</source>
        <translation>každý rok</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Příště</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ano</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Ne</translation>
    </message>
    <message>
        <source>Answer the invitation: %1</source>
        <translation>Odpovědět na pozvánku: %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>obsazeno</translation>
    </message>
    <message>
        <source>You&apos;re busy then: %1</source>
        <translation>V&#xa0;tu dobu už něco máte: %1</translation>
    </message>
    <message>
        <source>You answered yes.</source>
        <translation>Odpověděli jste ano.</translation>
    </message>
    <message>
        <source>You answered maybe.</source>
        <translation>Odpověděli jste možná.</translation>
    </message>
    <message>
        <source>You answered no.</source>
        <translation>Odpověděli jste ne.</translation>
    </message>
    <message>
        <source>This event isn&apos;t in your Google Calendar, so it can&apos;t be answered here.</source>
        <translation>Tato událost není ve vašem Kalendáři Google, proto na ni odtud nejde odpovědět.</translation>
    </message>
    <message>
        <source>Connect Google Calendar in Settings to answer.</source>
        <translation>Chcete-li odpovědět, připojte v&#xa0;Nastavení Kalendář Google.</translation>
    </message>
    <message>
        <source>You answered yes. The organizer will be notified.</source>
        <translation>Odpověděli jste ano. Organizátor se to dozví.</translation>
    </message>
    <message>
        <source>You answered maybe. The organizer will be notified.</source>
        <translation>Odpověděli jste možná. Organizátor se to dozví.</translation>
    </message>
    <message>
        <source>You answered no. The organizer will be notified.</source>
        <translation>Odpověděli jste ne. Organizátor se to dozví.</translation>
    </message>
</context>
<context>
    <name>JsonTree</name>
    <message>
        <source>and more: %1</source>
        <translation>a&#xa0;dalších: %1</translation>
    </message>
    <message>
        <source>fields: %1</source>
        <translation>polí: %1</translation>
    </message>
    <message>
        <source>items: %1</source>
        <translation>položek: %1</translation>
    </message>
</context>
<context>
    <name>KeyField</name>
    <message>
        <source>The key was removed.</source>
        <translation>Klíč byl odebrán.</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Odebírám…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
    <message>
        <source>Remove the saved key</source>
        <translation>Odebrat uložený klíč</translation>
    </message>
    <message>
        <source>Keep it until I quit</source>
        <translation>Ponechat jen do zavření programu</translation>
    </message>
    <message>
        <source>Saved until you quit Replyroom.</source>
        <translation>Ponechán do zavření Replyroomu.</translation>
    </message>
    <message>
        <source>Saved in your system keychain.</source>
        <translation>Uložen v&#xa0;klíčence.</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Ukládám…</translation>
    </message>
    <message>
        <source>Paste the key for %1</source>
        <translation>Vložte klíč (%1)</translation>
    </message>
    <message>
        <source>A key is saved.</source>
        <translation>Klíč je uložený.</translation>
    </message>
</context>
<context>
    <name>LabelChips</name>
    <message>
        <source>Remove label “%1”</source>
        <translation>Odebrat štítek „%1“</translation>
    </message>
</context>
<context>
    <name>LabelPicker</name>
    <message>
        <source>Find or create a label</source>
        <translation>Najděte štítek, nebo pojmenujte nový</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Štítek</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Štítky</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Vybrat</translation>
    </message>
    <message>
        <source>New label “%1”</source>
        <translation>Nový štítek „%1“</translation>
    </message>
</context>
<context>
    <name>Later</name>
    <message>
        <source>This afternoon</source>
        <translation>Dnes odpoledne</translation>
    </message>
    <message>
        <source>Tomorrow morning</source>
        <translation>Zítra ráno</translation>
    </message>
    <message>
        <source>Tomorrow afternoon</source>
        <translation>Zítra odpoledne</translation>
    </message>
    <message>
        <source>Monday morning</source>
        <translation>V&#xa0;pondělí ráno</translation>
    </message>
    <message>
        <source>Send at</source>
        <translation>Odeslat v</translation>
    </message>
</context>
<context>
    <name>LetterCard</name>
    <message>
        <source>From</source>
        <translation>Od</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Komu</translation>
    </message>
    <message>
        <source>Cc</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>Bcc</source>
        <translation>Skrytá kopie</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Předmět</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Include forwarded message</source>
        <translation>Přeposlaný e-mail níže</translation>
    </message>
    <message>
        <source>Include original message</source>
        <translation>Níže citovat e-mail</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>Podpis</translation>
    </message>
</context>
<context>
    <name>LetterFiles</name>
    <message>
        <source>Only PNG, JPEG and GIF pictures of up to %1 can be in the text. Attach it as a file.</source>
        <translation>V&#xa0;textu mohou být jen obrázky PNG, JPEG a&#xa0;GIF do %1. Přiložte ho jako soubor.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>“%1” is attached again.</source>
        <translation>Příloha „%1“ je zase připojena.</translation>
    </message>
    <message>
        <source>Removed “%1”</source>
        <translation>Příloha „%1“ je odebrána.</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n soubor</numerusform>
            <numerusform>%n soubory</numerusform>
            <numerusform>%n souborů</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 z&#xa0;%2</translation>
    </message>
    <message>
        <source>unnamed file</source>
        <translation>nepojmenovaný soubor</translation>
    </message>
    <message>
        <source>downloading from Gmail…</source>
        <translation>stahuje se z&#xa0;Gmailu…</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Odebrat: %1</translation>
    </message>
</context>
<context>
    <name>Letters</name>
    <message>
        <source>(nobody yet)</source>
        <translation>(zatím nikdo)</translation>
    </message>
    <message>
        <source>in Gmail</source>
        <translation>v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>files: %1</source>
        <translation>soubory: %1</translation>
    </message>
    <message>
        <source>changed in Gmail</source>
        <translation>změněno v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>Reply to %1</source>
        <translation>Odpověď: %1</translation>
    </message>
    <message>
        <source>Reply to %1 and everyone</source>
        <translation>Odpověď všem: %1</translation>
    </message>
    <message>
        <source>New message</source>
        <translation>Nový e-mail</translation>
    </message>
    <message>
        <source>It looks like you forgot an attachment.</source>
        <translation>Mluvíte o&#xa0;příloze, ale žádná tu není.</translation>
    </message>
    <message>
        <source>Connect Gmail first to write email.</source>
        <translation>K&#xa0;psaní e‑mailů nejdřív připojte Gmail.</translation>
    </message>
    <message>
        <source>Connect Gmail…</source>
        <translation>Připojit Gmail…</translation>
    </message>
    <message>
        <source>This email is in a local archive. Write a new email instead.</source>
        <translation>Tento e‑mail je v&#xa0;místním archivu. Napište raději nový e‑mail.</translation>
    </message>
    <message>
        <source>The message is empty.</source>
        <translation>Zatím tu nic není napsáno.</translation>
    </message>
    <message>
        <source>Keep this version</source>
        <translation>Ponechat tuto verzi</translation>
    </message>
    <message>
        <source>This draft was deleted in Gmail.</source>
        <translation>Tento koncept byl v&#xa0;Gmailu smazán.</translation>
    </message>
    <message>
        <source>Discard it here too</source>
        <translation>Zahodit i&#xa0;zde</translation>
    </message>
    <message>
        <source>Use Gmail&apos;s version</source>
        <translation>Použít verzi z&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Ukládá se…</translation>
    </message>
    <message>
        <source>Saved to Gmail</source>
        <translation>Uloženo zde i&#xa0;v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Uloženo v&#xa0;tomto počítači</translation>
    </message>
    <message>
        <source>Send without a subject?</source>
        <translation>Chybí předmět.</translation>
    </message>
    <message>
        <source>This draft was changed in Gmail in the meantime. Nothing is overwritten until you choose.</source>
        <translation>Tento koncept byl mezitím v&#xa0;Gmailu změněn. Dokud nezvolíte, nic se nepřepíše.</translation>
    </message>
    <message>
        <source>Forward an email from %1</source>
        <translation>Přeposlání: %1</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <source>Installed packages and their licenses</source>
        <translation>Nainstalované balíčky a&#xa0;jejich licence</translation>
    </message>
    <message>
        <source>Packages in this program and their licenses</source>
        <translation>Balíčky v&#xa0;tomto programu a&#xa0;jejich licence</translation>
    </message>
    <message>
        <source>License text</source>
        <translation>Text licence</translation>
    </message>
    <message>
        <source>Package</source>
        <translation>Balíček</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Verze</translation>
    </message>
    <message>
        <source>License</source>
        <translation>Licence</translation>
    </message>
    <message>
        <source>not named; see its files</source>
        <translation>neuvedena; viz jeho soubory</translation>
    </message>
    <message>
        <source>This package has no license text of its own.</source>
        <translation>Tento balíček vlastní text licence nepřináší.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Licenses</source>
        <translation>Licence</translation>
    </message>
</context>
<context>
    <name>LinkBar</name>
    <message>
        <source>Open in browser</source>
        <translation>Otevřít v&#xa0;prohlížeči</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopírovat</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Suspicious message. Open anyway?</source>
        <translation>Podezřelá zpráva. Přesto otevřít?</translation>
    </message>
</context>
<context>
    <name>LinkEditor</name>
    <message>
        <source>Link address</source>
        <translation>Adresa odkazu</translation>
    </message>
    <message>
        <source>Remove link</source>
        <translation>Odebrat odkaz</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>Odkaz na</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Použít</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
</context>
<context>
    <name>MailCommandOffer</name>
    <message>
        <source>Looking for matching conversations…</source>
        <translation>Hledám odpovídající konverzace…</translation>
    </message>
    <message>
        <source>No conversation matches: %1</source>
        <translation>Žádná konverzace neodpovídá: %1</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Zobrazit je</translation>
    </message>
    <message numerus="yes">
        <source>Archive %n conversation(s)?</source>
        <translation>
            <numerusform>Archivovat %n konverzaci?</numerusform>
            <numerusform>Archivovat %n konverzace?</numerusform>
            <numerusform>Archivovat %n konverzací?</numerusform>
        </translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivovat</translation>
    </message>
    <message numerus="yes">
        <source>Move %n conversation(s) to trash?</source>
        <translation>
            <numerusform>Přesunout %n konverzaci do koše?</numerusform>
            <numerusform>Přesunout %n konverzace do koše?</numerusform>
            <numerusform>Přesunout %n konverzací do koše?</numerusform>
        </translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>Přesunout do koše</translation>
    </message>
    <message numerus="yes">
        <source>Mark %n conversation(s) as read?</source>
        <translation>
            <numerusform>Označit %n konverzaci jako přečtenou?</numerusform>
            <numerusform>Označit %n konverzace jako přečtené?</numerusform>
            <numerusform>Označit %n konverzací jako přečtené?</numerusform>
        </translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>Označit jako přečtené</translation>
    </message>
    <message numerus="yes">
        <source>Star %n conversation(s)?</source>
        <translation>
            <numerusform>Přidat hvězdičku %n konverzaci?</numerusform>
            <numerusform>Přidat hvězdičku %n konverzacím?</numerusform>
            <numerusform>Přidat hvězdičku %n konverzacím?</numerusform>
        </translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Přidat hvězdičku</translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) archived</source>
        <translation>
            <numerusform>%n konverzace archivována</numerusform>
            <numerusform>%n konverzace archivovány</numerusform>
            <numerusform>%n konverzací archivováno</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) moved to trash</source>
        <translation>
            <numerusform>%n konverzace přesunuta do koše</numerusform>
            <numerusform>%n konverzace přesunuty do koše</numerusform>
            <numerusform>%n konverzací přesunuto do koše</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) marked as read</source>
        <translation>
            <numerusform>%n konverzace označena jako přečtená</numerusform>
            <numerusform>%n konverzace označeny jako přečtené</numerusform>
            <numerusform>%n konverzací označeno jako přečtené</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) starred</source>
        <translation>
            <numerusform>%n konverzace označena hvězdičkou</numerusform>
            <numerusform>%n konverzace označeny hvězdičkou</numerusform>
            <numerusform>%n konverzací označeno hvězdičkou</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vzít zpět</translation>
    </message>
    <message>
        <source>A rule can label new mail like this.</source>
        <translation>Pravidlo může novou poštu tohoto druhu označit štítkem.</translation>
    </message>
    <message>
        <source>Make this a rule</source>
        <translation>Vytvořit pravidlo</translation>
    </message>
    <message>
        <source>A rule can do this with new mail: %1</source>
        <translation>S&#xa0;novou poštou to může dělat pravidlo: %1</translation>
    </message>
    <message>
        <source>newsletters</source>
        <translation>newslettery</translation>
    </message>
    <message>
        <source>Label %1</source>
        <translation>Označit štítkem: %1</translation>
    </message>
    <message>
        <source>Archive %1</source>
        <translation>Archivovat: %1</translation>
    </message>
    <message>
        <source>Mark %1 as read</source>
        <translation>Označit jako přečtené: %1</translation>
    </message>
    <message>
        <source>Star %1</source>
        <translation>Označit hvězdičkou: %1</translation>
    </message>
</context>
<context>
    <name>MailPage</name>
    <message numerus="yes">
        <source>%n conversation(s)</source>
        <translation>
            <numerusform>%n konverzace</numerusform>
            <numerusform>%n konverzace</numerusform>
            <numerusform>%n konverzací</numerusform>
        </translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>Pošta</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Konverzace</translation>
    </message>
    <message>
        <source>Search failed</source>
        <translation>Hledání selhalo</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>Results for “%1”</source>
        <translation>Výsledky pro „%1“</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Hledám…</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nic nenalezeno</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>Přesunout pod</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Štítek</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>Vybrána %n</numerusform>
            <numerusform>Vybrány %n</numerusform>
            <numerusform>Vybráno %n</numerusform>
        </translation>
    </message>
    <message>
        <source>This email is no longer in the mailbox.</source>
        <translation>Tento e-mail už ve schránce není.</translation>
    </message>
    <message>
        <source>Try fewer words, or narrow with from: or has:attachment.</source>
        <translation>Zkuste méně slov nebo operátor, třeba from: či has:attachment.</translation>
    </message>
    <message>
        <source>Get new mail</source>
        <translation>Zkontrolovat novou poštu</translation>
    </message>
    <message>
        <source>There are no read newsletters in the inbox.</source>
        <translation>V&#xa0;doručené poště nejsou žádné přečtené newslettery.</translation>
    </message>
    <message numerus="yes">
        <source>%n read newsletter(s) selected. Check them, then archive them all.</source>
        <translation>
            <numerusform>Vybrán %n přečtený newsletter. Projděte ho a&#xa0;pak archivujte.</numerusform>
            <numerusform>Vybrány %n přečtené newslettery. Projděte je a&#xa0;pak je všechny archivujte.</numerusform>
            <numerusform>Vybráno %n přečtených newsletterů. Projděte je a&#xa0;pak je všechny archivujte.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MailPrinter</name>
    <message>
        <source>Save as PDF</source>
        <translation>Uložit jako PDF</translation>
    </message>
    <message>
        <source>PDF files (*.pdf)</source>
        <translation>Soubory PDF (*.pdf)</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Od</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Komu</translation>
    </message>
    <message>
        <source>Cc</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>Bcc</source>
        <translation>Skrytá kopie</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Attachments</source>
        <translation>Přílohy</translation>
    </message>
    <message>
        <source>It could not be printed.</source>
        <translation>Nepodařilo se vytisknout.</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>Uloženo jako %1.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Pages</source>
        <translation>Stránky</translation>
    </message>
    <message>
        <source>Search mail</source>
        <translation>Hledat v&#xa0;poště</translation>
    </message>
    <message>
        <source>Your account</source>
        <translation>Váš účet</translation>
    </message>
    <message>
        <source>Replyroom will try again.</source>
        <translation>Replyroom se ho sám zeptá znovu.</translation>
    </message>
    <message>
        <source>Resume assistant</source>
        <translation>Nechat asistenta pokračovat</translation>
    </message>
    <message>
        <source>Pause assistant</source>
        <translation>Pozastavit asistenta</translation>
    </message>
    <message>
        <source>Replyroom – Sample mailbox</source>
        <translation>Replyroom – ukázková schránka</translation>
    </message>
</context>
<context>
    <name>MeetingCard</name>
    <message>
        <source>Title</source>
        <translation>Název</translation>
    </message>
    <message>
        <source>Guests</source>
        <translation>Hosté</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>Začátek</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Trvá</translation>
    </message>
    <message>
        <source>Previous day</source>
        <translation>O&#xa0;den dříve</translation>
    </message>
    <message>
        <source>Next day</source>
        <translation>O&#xa0;den později</translation>
    </message>
    <message>
        <source>You&apos;re busy</source>
        <translation>To už něco máte</translation>
    </message>
    <message>
        <source>You&apos;re free</source>
        <translation>Máte volno</translation>
    </message>
    <message>
        <source>Your calendar couldn&apos;t be read</source>
        <translation>Kalendář nešlo přečíst</translation>
    </message>
    <message>
        <source>Your calendar isn&apos;t loaded that far ahead</source>
        <translation>Tak daleko kalendář nebyl přečten</translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minuta</numerusform>
            <numerusform>%n minuty</numerusform>
            <numerusform>%n minut</numerusform>
        </translation>
    </message>
    <message>
        <source>Adds to your calendar and invites the guests</source>
        <translation>Schůzka ve vašem kalendáři; hosty pozve Google</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message>
        <source>Sorting</source>
        <translation>Třídění</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Psaní</translation>
    </message>
    <message>
        <source>Meetings</source>
        <translation>Schůzky</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>O&#xa0;vás</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>Naučeno</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>Vaše vlastní slova</translation>
    </message>
    <message>
        <source>Sender</source>
        <translation>Odesílatel</translation>
    </message>
    <message>
        <source>Greeting</source>
        <translation>Oslovení</translation>
    </message>
    <message>
        <source>Sign-off</source>
        <translation>Rozloučení</translation>
    </message>
    <message>
        <source>Formality</source>
        <translation>Tykání a&#xa0;vykání</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>Podpis</translation>
    </message>
    <message>
        <source>Don&apos;t repeat signature lines in the text.</source>
        <translation>Řádky vašeho podpisu do textu nepatří; podpis se stejně přidává.</translation>
    </message>
    <message>
        <source>Write to %1 in the familiar form (ty).</source>
        <translation>Oslovovat tykáním: %1.</translation>
    </message>
    <message>
        <source>Write to %1 in the polite form (vy).</source>
        <translation>Oslovovat vykáním: %1.</translation>
    </message>
    <message>
        <source>Replies %1 begin with “%2”.</source>
        <translation>Odpovědi %1 začínají „%2“.</translation>
    </message>
    <message>
        <source>Replies %1 end without a closing.</source>
        <translation>Odpovědi %1 končí bez rozloučení.</translation>
    </message>
    <message>
        <source>Replies %1 end with “%2”.</source>
        <translation>Odpovědi %1 končí „%2“.</translation>
    </message>
    <message>
        <source>Added by you on %1</source>
        <translation>Přidáno vámi %1</translation>
    </message>
    <message>
        <source>Learned from your decision on %1, then edited by you</source>
        <translation>Naučeno z&#xa0;vašeho rozhodnutí %1, poté upraveno vámi</translation>
    </message>
    <message>
        <source>Learned from your decision on %1</source>
        <translation>Naučeno z&#xa0;vašeho rozhodnutí %1</translation>
    </message>
    <message>
        <source>decisions: %1</source>
        <translation>rozhodnutí, která to dokládají: %1</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>zatím nepoužito</translation>
    </message>
    <message>
        <source>times used: %1</source>
        <translation>použití: %1</translation>
    </message>
    <message>
        <source>seen once</source>
        <translation>zatím jednou</translation>
    </message>
    <message>
        <source>Mail from %1 gets no draft and is not shown in Review.</source>
        <translation>Odesílatel %1: koncept se nepřipraví a&#xa0;ve schvalování se neukáže.</translation>
    </message>
    <message>
        <source>Mail from %1 is shown in Review, without a draft.</source>
        <translation>Odesílatel %1: ve schvalování se ukáže, bez konceptu.</translation>
    </message>
    <message>
        <source>Mail from %1 gets a draft.</source>
        <translation>Odesílatel %1: připraví se koncept.</translation>
    </message>
    <message>
        <source>in English</source>
        <translation>v&#xa0;angličtině</translation>
    </message>
    <message>
        <source>in Czech</source>
        <translation>v&#xa0;češtině</translation>
    </message>
    <message>
        <source>in German</source>
        <translation>v&#xa0;němčině</translation>
    </message>
    <message>
        <source>in every language</source>
        <translation>v&#xa0;každém jazyce</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>(komu: %1)</translation>
    </message>
    <message>
        <source>Length of meetings</source>
        <translation>Délka schůzek</translation>
    </message>
    <message>
        <source>Time of meetings</source>
        <translation>Čas schůzek</translation>
    </message>
    <message>
        <source>Meetings %1 last %2 minutes.</source>
        <translation>Schůzky %1 trvají %2 minut.</translation>
    </message>
    <message>
        <source>Meetings %1 start around %2 when you&apos;re free.</source>
        <translation>Schůzky %1 začínají kolem %2, když máte volno.</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>(s&#xa0;kým: %1)</translation>
    </message>
    <message>
        <source>with anyone</source>
        <translation>s&#xa0;kýmkoli</translation>
    </message>
    <message>
        <source>seen once, used after you do it again or edit it</source>
        <translation>zatím jen jednou; použije se, až to uděláte znovu, nebo hned, když ji upravíte</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>Oprava</translation>
    </message>
    <message>
        <source>You corrected it on %1. Email from this sender and email like it is sorted the same way.</source>
        <translation>Opravili jste to %1. E-maily od tohoto odesílatele a&#xa0;podobné se třídí stejně.</translation>
    </message>
    <message>
        <source>“%2” from %1 needed a reply.</source>
        <translation>„%2“ (od: %1): bylo třeba odpovědět.</translation>
    </message>
    <message>
        <source>“%2” from %1 was for your information.</source>
        <translation>„%2“ (od: %1): jen pro informaci.</translation>
    </message>
    <message>
        <source>“%2” from %1 needed no action.</source>
        <translation>„%2“ (od: %1): nebylo třeba nic dělat.</translation>
    </message>
    <message>
        <source>“%2” from %1 was spam.</source>
        <translation>„%2“ (od: %1): byl to spam.</translation>
    </message>
    <message>
        <source>“%2” from %1 was not spam.</source>
        <translation>„%2“ (od: %1): nebyl to spam.</translation>
    </message>
    <message>
        <source>“%2” from %1 was phishing.</source>
        <translation>„%2“ (od: %1): byl to phishing.</translation>
    </message>
    <message>
        <source>“%2” from %1 was not suspicious.</source>
        <translation>„%2“ (od: %1): nebylo to podezřelé.</translation>
    </message>
    <message>
        <source>Your past email hasn&apos;t been read yet. Sorting uses general rules.</source>
        <translation>Vaše starší pošta se ještě nečetla. Třídí se podle obecných pravidel.</translation>
    </message>
    <message>
        <source>You answered %2 of %1 past emails, too few to learn from. Sorting uses general rules.</source>
        <translation>Odpověděli jste na %2 z&#xa0;%1 starších e-mailů, na učení je to málo. Třídí se podle obecných pravidel.</translation>
    </message>
    <message>
        <source>Sorting learned from %1 past emails, %2 of them answered. Updated %3.</source>
        <translation>Třídění se naučilo ze starších e-mailů (%1, z&#xa0;toho zodpovězeno %2). Aktualizováno %3.</translation>
    </message>
    <message>
        <source>How you write</source>
        <translation>Jak píšete</translation>
    </message>
    <message>
        <source>Facts about you</source>
        <translation>Údaje o&#xa0;vás</translation>
    </message>
    <message>
        <source>Made from your sent emails, then edited by you</source>
        <translation>Vytvořeno z&#xa0;vašich odeslaných e-mailů, pak jste to upravili</translation>
    </message>
    <message>
        <source>Made on this computer from your last %1 sent emails, on %2</source>
        <translation>Vytvořeno v&#xa0;tomto počítači z&#xa0;vašich posledních odeslaných e-mailů (%1), %2</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Angličtina</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Čeština</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Němčina</translation>
    </message>
    <message>
        <source>%1, formal</source>
        <translation>%1, formálně</translation>
    </message>
    <message>
        <source>%1, informal</source>
        <translation>%1, neformálně</translation>
    </message>
    <message>
        <source>begins with “%1”</source>
        <translation>začíná „%1“</translation>
    </message>
    <message>
        <source>begins without a greeting</source>
        <translation>začíná bez oslovení</translation>
    </message>
    <message>
        <source>ends with “%1”</source>
        <translation>končí „%1“</translation>
    </message>
    <message>
        <source>ends without a closing</source>
        <translation>končí bez rozloučení</translation>
    </message>
    <message>
        <source>about %1 words</source>
        <translation>asi %1 slov</translation>
    </message>
    <message>
        <source>Writes as “we”.</source>
        <translation>Píše v&#xa0;množném čísle („my“).</translation>
    </message>
    <message>
        <source>Uses the feminine form in Czech (psala jsem).</source>
        <translation>Česky v&#xa0;ženském rodě (psala jsem).</translation>
    </message>
    <message>
        <source>Uses the masculine form in Czech (psal jsem).</source>
        <translation>Česky v&#xa0;mužském rodě (psal jsem).</translation>
    </message>
    <message>
        <source>Name: %1</source>
        <translation>Jméno: %1</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>Pozice: %1</translation>
    </message>
    <message>
        <source>Phone: %1</source>
        <translation>Telefon: %1</translation>
    </message>
    <message>
        <source>Address: %1</source>
        <translation>Adresa: %1</translation>
    </message>
    <message>
        <source>Website: %1</source>
        <translation>Web: %1</translation>
    </message>
    <message>
        <source>Languages: %1</source>
        <translation>Jazyky: %1</translation>
    </message>
    <message>
        <source>Usually writes from %1 to %2, Monday to Friday</source>
        <translation>Obvykle píše od %1 do %2, od pondělí do pátku</translation>
    </message>
    <message>
        <source>Usually writes from %1 to %2, also on weekends</source>
        <translation>Obvykle píše od %1 do %2, i&#xa0;o&#xa0;víkendech</translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message>
        <source>Memory</source>
        <translation>Paměť</translation>
    </message>
    <message>
        <source>Open the decision</source>
        <translation>Otevřít rozhodnutí</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vzít zpět</translation>
    </message>
    <message>
        <source>From Settings. A language model gets it with each draft.</source>
        <translation>Z&#xa0;nastavení. Jazykový model ho dostane s&#xa0;každým konceptem.</translation>
    </message>
    <message>
        <source>Nothing learned yet</source>
        <translation>Zatím nic naučeného</translation>
    </message>
    <message>
        <source>Add a preference</source>
        <translation>Přidat pravidlo</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Smazáno; už se tím asistent neřídí.</translation>
    </message>
    <message>
        <source>The assistant learns from your edits and rejections. See and change what it learned here.</source>
        <translation>Asistent se učí z&#xa0;toho, co upravíte a&#xa0;odmítnete. Vše, co se naučil, je zde a&#xa0;můžete to změnit.</translation>
    </message>
</context>
<context>
    <name>MessageHeader</name>
    <message>
        <source>Details</source>
        <translation>Podrobnosti</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Zkopírovat adresu</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>komu: %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n další</numerusform>
            <numerusform>a&#xa0;%n dalších</numerusform>
        </translation>
    </message>
    <message>
        <source>Cc %1</source>
        <translation>kopie: %1</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>Skrýt podrobnosti</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Od</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Komu</translation>
    </message>
    <message>
        <source>Cc</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>Bcc</source>
        <translation>Skrytá kopie</translation>
    </message>
    <message>
        <source>Reply to</source>
        <translation>Odpovědět na</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Signed by</source>
        <translation>Podepsala doména</translation>
    </message>
</context>
<context>
    <name>ModelBanner</name>
    <message>
        <source>Model settings</source>
        <translation>Nastavení modelu</translation>
    </message>
    <message>
        <source>%1 No language model is used until then.</source>
        <translation>%1 Do té doby se jazykový model nepoužívá.</translation>
    </message>
</context>
<context>
    <name>ModelScreen</name>
    <message>
        <source>You can change this at any time in Settings.</source>
        <translation>Kdykoli to můžete změnit v&#xa0;nastavení.</translation>
    </message>
    <message>
        <source>Sorting stays on this computer. Drafts come from your own earlier replies and templates, with blanks to fill in.</source>
        <translation>Třídění zůstává na tomto počítači. Koncepty vznikají z&#xa0;vašich dřívějších odpovědí a&#xa0;ze šablon; mezery jsou vyznačeny.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Vybrat model</translation>
    </message>
    <message>
        <source>Use AI to write drafts?</source>
        <translation>Psát koncepty s&#xa0;jazykovým modelem?</translation>
    </message>
    <message>
        <source>Continue without AI</source>
        <translation>Pokračovat bez něj</translation>
    </message>
    <message>
        <source>Use a provider with your own key, or a model on this computer. Emails that need a reply are sent to it.</source>
        <translation>Poskytovatel s&#xa0;vaším vlastním klíčem, nebo model na tomto počítači. Posílá se mu pošta, na kterou se odpovídá.</translation>
    </message>
    <message>
        <source>It runs on this computer. Nothing leaves it.</source>
        <translation>Běží v&#xa0;tomto počítači. Nic z&#xa0;něj neodchází.</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>Použít %1</translation>
    </message>
</context>
<context>
    <name>ModelSection</name>
    <message>
        <source>Language model</source>
        <translation>Jazykový model</translation>
    </message>
    <message>
        <source>Without one, mail is sorted on this computer and drafts come from your own earlier replies and templates.</source>
        <translation>Bez něj se pošta třídí na tomto počítači a&#xa0;koncepty vznikají z&#xa0;vašich dřívějších odpovědí a&#xa0;ze šablon.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Klíč</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Vyzkoušet</translation>
    </message>
    <message>
        <source>Saved in your system keychain.</source>
        <translation>Ukládá se do klíčenky tohoto počítače, nikdy do souboru.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Vyberte model</translation>
    </message>
    <message>
        <source>Show models</source>
        <translation>Ukázat modely</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Pro pokročilé</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Poskytovatel</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresa</translation>
    </message>
    <message>
        <source>The server&apos;s OpenAI-compatible API.</source>
        <translation>Rozhraní serveru slučitelného s&#xa0;OpenAI.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>It is tested with a made-up email, then used.</source>
        <translation>Vyzkouší se na vymyšleném e-mailu a&#xa0;pak se začne používat.</translation>
    </message>
    <message>
        <source>Asking %1 for its models…</source>
        <translation>Zjišťuji modely (%1)…</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s). The first ones are recommended.</source>
        <translation>
            <numerusform>%n model.</numerusform>
            <numerusform>%n modely. Doporučené jsou první.</numerusform>
            <numerusform>%n modelů. Doporučené jsou první.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) on this computer.</source>
        <translation>
            <numerusform>%n model v&#xa0;tomto počítači.</numerusform>
            <numerusform>%n modely v&#xa0;tomto počítači.</numerusform>
            <numerusform>%n modelů v&#xa0;tomto počítači.</numerusform>
        </translation>
    </message>
    <message>
        <source>The server doesn&apos;t list its models. Type the model&apos;s name.</source>
        <translation>Server seznam nedává. Napište název modelu.</translation>
    </message>
    <message>
        <source>Save the key, then choose a model.</source>
        <translation>Uložte klíč a&#xa0;pak vyberte model.</translation>
    </message>
    <message>
        <source>%1 doesn&apos;t answer at this address. Start it, or install it.</source>
        <translation>%1 na této adrese neodpovídá. Spusťte ho, nebo nainstalujte.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be reached. You seem to be offline.</source>
        <translation>%1 není dostupné. Zdá se, že jste offline.</translation>
    </message>
    <message>
        <source>Hide advanced</source>
        <translation>Skrýt volby pro pokročilé</translation>
    </message>
    <message>
        <source>Try it on 20 of my messages…</source>
        <translation>Vyzkoušet na 20 mých zprávách…</translation>
    </message>
    <message>
        <source>A few short questions without any of your mail.</source>
        <translation>Několik krátkých otázek bez vaší pošty.</translation>
    </message>
    <message>
        <source>Compares what the model would have done with what you did. The messages are sent to it.</source>
        <translation>Ukáže, co by model řekl, vedle toho, co jste udělali vy. Zprávy se mu pošlou.</translation>
    </message>
    <message>
        <source>Try the model</source>
        <translation>Zkouška na poště</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Vybrat soubor…</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>Soubor modelu</translation>
    </message>
    <message>
        <source>Models (*.gguf);;All files (*)</source>
        <translation>Modely (*.gguf);;Všechny soubory (*)</translation>
    </message>
</context>
<context>
    <name>ModelTestRow</name>
    <message>
        <source>Stop waiting</source>
        <translation>Nečekat</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Vyzkoušet</translation>
    </message>
    <message>
        <source>The test failed</source>
        <translation>Neodpovídá</translation>
    </message>
    <message>
        <source>Use it anyway</source>
        <translation>Přesto použít</translation>
    </message>
    <message>
        <source>Testing the model…</source>
        <translation>Zkouším model…</translation>
    </message>
    <message>
        <source>It answered in %1.</source>
        <translation>Odpověděl za %1.</translation>
    </message>
    <message>
        <source>It answered in less than a second.</source>
        <translation>Odpověděl do sekundy.</translation>
    </message>
    <message>
        <source>It sorted %1 of %2 sample messages right.</source>
        <translation>Správně roztřídil %1 z&#xa0;%2 ukázkových e-mailů.</translation>
    </message>
    <message>
        <source>The model works</source>
        <translation>Model funguje</translation>
    </message>
    <message>
        <source>It can sort mail, write drafts and look things up for the assistant.</source>
        <translation>Umí třídit poštu, psát koncepty a&#xa0;vyhledávat pro asistenta.</translation>
    </message>
    <message>
        <source>It can sort mail and write drafts. It can&apos;t use tools, so the assistant does less with it.</source>
        <translation>Umí třídit poštu a&#xa0;psát koncepty. Neumí používat nástroje, asistent s&#xa0;ním proto zvládne méně.</translation>
    </message>
    <message>
        <source>It can write drafts and use tools, but sorts unreliably. Mail is sorted on this computer.</source>
        <translation>Umí psát koncepty a&#xa0;používat nástroje, ale třídí nespolehlivě. Poštu třídí tento počítač.</translation>
    </message>
    <message>
        <source>It can write drafts. It sorts unreliably and can&apos;t use tools. Mail is sorted on this computer.</source>
        <translation>Umí psát koncepty. Třídí nespolehlivě a&#xa0;neumí používat nástroje. Poštu třídí tento počítač.</translation>
    </message>
</context>
<context>
    <name>ModelTrialDialog</name>
    <message>
        <source>Try %1 on your messages</source>
        <translation>Zkouška na vašich zprávách: %1</translation>
    </message>
    <message>
        <source>Choosing messages…</source>
        <translation>Vybírám zprávy…</translation>
    </message>
    <message>
        <source>Draft and your own answer</source>
        <translation>Koncept a&#xa0;vaše odpověď</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Zastavit</translation>
    </message>
    <message>
        <source>Each message is sent to the model as it would be for a draft. Nothing is sent to anyone else or changed.</source>
        <translation>Každá zpráva se modelu pošle jako pro koncept. Nikomu jinému se nic neposílá a&#xa0;nic se nemění.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Zpráva</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Vy</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Koncept</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Čas</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Cena</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Zprávy</translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation>Ptám se modelu…</translation>
    </message>
    <message>
        <source>There are no messages to try it on.</source>
        <translation>Nejsou žádné zprávy, na kterých ho vyzkoušet.</translation>
    </message>
    <message>
        <source>Use it only for drafts: enter “none” as the model for sorting under Advanced.</source>
        <translation>Nechte ho psát jen koncepty: pod Pro pokročilé napište u&#xa0;modelu pro třídění „none“.</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>cena neznámá</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>odpověděli jste</translation>
    </message>
    <message>
        <source>didn&apos;t answer</source>
        <translation>neodpověděli jste</translation>
    </message>
    <message>
        <source>good</source>
        <translation>v&#xa0;pořádku</translation>
    </message>
    <message>
        <source>misses a question</source>
        <translation>vynechává otázku</translation>
    </message>
    <message>
        <source>says something no source supports</source>
        <translation>tvrdí něco bez zdroje</translation>
    </message>
    <message>
        <source>wrong language</source>
        <translation>jiný jazyk</translation>
    </message>
    <message>
        <source>too long or empty</source>
        <translation>příliš dlouhý nebo prázdný</translation>
    </message>
    <message>
        <source>mentions an unknown address</source>
        <translation>uvádí cizí adresu</translation>
    </message>
    <message>
        <source>extra words around the draft</source>
        <translation>slova navíc kolem konceptu</translation>
    </message>
    <message>
        <source>You didn&apos;t answer.</source>
        <translation>Neodpověděli jste.</translation>
    </message>
    <message>
        <source>The model:</source>
        <translation>Model:</translation>
    </message>
    <message>
        <source>You:</source>
        <translation>Vy:</translation>
    </message>
    <message>
        <source>%1 per 1,000 messages</source>
        <translation>%1 za 1 000 zpráv</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>bez odpovědi</translation>
    </message>
    <message>
        <source>%1 of %2 sorted as you decided, %3 without a model.</source>
        <translation>Zatříděno stejně jako vámi: %1 z&#xa0;%2, bez modelu %3.</translation>
    </message>
    <message>
        <source>%1 of %2 drafts without problems.</source>
        <translation>Koncepty bez chyby: %1 z&#xa0;%2.</translation>
    </message>
    <message>
        <source>%1 of %2 answers couldn&apos;t be used. Such messages are sorted and drafted without the model.</source>
        <translation>Nepoužitelné odpovědi: %1 z&#xa0;%2. Takové zprávy se třídí a&#xa0;koncepty k&#xa0;nim píšou bez modelu.</translation>
    </message>
    <message>
        <source>%1 per message, %2.</source>
        <translation>%1 na zprávu, %2.</translation>
    </message>
    <message>
        <source>Choose another model, or none. This one rarely helps.</source>
        <translation>Zvolte jiný model, nebo žádný: tento pomáhá příliš zřídka.</translation>
    </message>
    <message>
        <source>unusable</source>
        <translation>nepoužitelná odpověď</translation>
    </message>
</context>
<context>
    <name>Outbox</name>
    <message>
        <source>sent</source>
        <translation>odesláno</translation>
    </message>
    <message>
        <source>saved in Gmail</source>
        <translation>uloženo v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>done</source>
        <translation>hotovo</translation>
    </message>
    <message>
        <source>created</source>
        <translation>vytvořeno</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>čeká</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>připravuje se</translation>
    </message>
    <message>
        <source>prepared</source>
        <translation>připraveno</translation>
    </message>
    <message>
        <source>sending</source>
        <translation>odesílá se</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>nepotvrzeno</translation>
    </message>
    <message>
        <source>on hold</source>
        <translation>zadrženo</translation>
    </message>
    <message>
        <source>canceled</source>
        <translation>zrušeno</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>E-mail</translation>
    </message>
    <message>
        <source>Gmail draft</source>
        <translation>Koncept v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>Label change</source>
        <translation>Změna štítků</translation>
    </message>
    <message>
        <source>New label</source>
        <translation>Nový štítek</translation>
    </message>
    <message>
        <source>Sent.</source>
        <translation>Odesláno.</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>Hotovo.</translation>
    </message>
    <message>
        <source>Sending in %1 s. You can cancel until then.</source>
        <translation>Odešle se za %1 s. Do té doby to můžete zrušit.</translation>
    </message>
    <message>
        <source>Will be done in %1 s. You can cancel until then.</source>
        <translation>Provede se za %1 s. Do té doby to můžete zrušit.</translation>
    </message>
    <message>
        <source>Will send at %1. You can cancel until then.</source>
        <translation>Odešle se v&#xa0;%1. Do té doby to lze zrušit.</translation>
    </message>
    <message>
        <source>To: %1</source>
        <translation>Komu: %1</translation>
    </message>
    <message>
        <source>Cc: %1</source>
        <translation>Kopie: %1</translation>
    </message>
    <message>
        <source>Bcc: %1</source>
        <translation>Skrytá kopie: %1</translation>
    </message>
    <message>
        <source>Files: %1</source>
        <translation>Soubory: %1</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Will send when back online.</source>
        <translation>Odešle se, jakmile server odpoví.</translation>
    </message>
    <message>
        <source>Preparing to send. It can&apos;t be sent twice.</source>
        <translation>Nejdřív se ukládá do Gmailu jako koncept, aby nemohl odejít dvakrát.</translation>
    </message>
    <message>
        <source>The draft is in Gmail and will be sent next.</source>
        <translation>Koncept je v&#xa0;Gmailu a&#xa0;odejde jako další.</translation>
    </message>
    <message>
        <source>Sending now.</source>
        <translation>Právě se odesílá.</translation>
    </message>
    <message>
        <source>Canceled. Nothing was sent.</source>
        <translation>Zrušeno; nic se neodeslalo.</translation>
    </message>
    <message>
        <source>The draft was deleted in Gmail before it was sent.</source>
        <translation>Koncept byl v&#xa0;Gmailu smazán dřív, než odešel.</translation>
    </message>
    <message>
        <source>The draft was edited in Gmail and is no longer what you approved.</source>
        <translation>Koncept byl v&#xa0;Gmailu upraven; není to, co jste schválili.</translation>
    </message>
    <message>
        <source>Google does not allow sending for this account. Sign in again and grant every permission.</source>
        <translation>Google odesílání z&#xa0;tohoto účtu nedovoluje. Přihlaste se znovu a&#xa0;udělte všechna oprávnění.</translation>
    </message>
    <message>
        <source>The connection broke while sending. Check Sent before you send it again.</source>
        <translation>Během odesílání se přerušilo spojení. Než ho pošlete znovu, podívejte se do odeslané pošty.</translation>
    </message>
    <message>
        <source>The time you chose passed more than a day ago, and it couldn&apos;t be sent before. Send it now, or cancel it.</source>
        <translation>Čas, který jste zvolili, uplynul před více než jedním dnem a&#xa0;dřív e-mail odejít nemohl. Pošlete ho teď, nebo zrušte.</translation>
    </message>
    <message>
        <source>The From address is no longer yours in Gmail, so it would be sent from your main address. Send it anyway, or cancel it.</source>
        <translation>Adresa, ze které měl e-mail odejít, už v&#xa0;Gmailu není vaše, a&#xa0;tak by odešel z&#xa0;vaší hlavní adresy. Pošlete ho přesto, nebo zrušte.</translation>
    </message>
    <message>
        <source>The conversation no longer exists on the server.</source>
        <translation>Konverzace už na serveru není.</translation>
    </message>
    <message>
        <source>On hold. It needs your decision.</source>
        <translation>Zastavilo se to a&#xa0;čeká na vás.</translation>
    </message>
    <message>
        <source>in the calendar</source>
        <translation>v&#xa0;kalendáři</translation>
    </message>
    <message>
        <source>Meeting</source>
        <translation>Schůzka</translation>
    </message>
    <message>
        <source>Adding it to your calendar now.</source>
        <translation>Právě se zapisuje do vašeho kalendáře.</translation>
    </message>
    <message>
        <source>The time of this meeting has passed.</source>
        <translation>Čas této schůzky už minul.</translation>
    </message>
    <message>
        <source>%1 Not before %2. You can still cancel it.</source>
        <translation>%1 Ne dříve než %2; ještě to lze zrušit.</translation>
    </message>
    <message>
        <source>Will send on %1. You can cancel until then.</source>
        <translation>Odešle se %1. Do té doby to lze zrušit.</translation>
    </message>
    <message>
        <source>Will be done when back online.</source>
        <translation>Provede se, jakmile server odpoví.</translation>
    </message>
    <message>
        <source>Saving to Gmail now.</source>
        <translation>Právě se ukládá v&#xa0;Gmailu.</translation>
    </message>
    <message>
        <source>Doing it now.</source>
        <translation>Právě se provádí.</translation>
    </message>
    <message>
        <source>Canceled. Nothing was changed.</source>
        <translation>Zrušeno; nic se nezměnilo.</translation>
    </message>
    <message>
        <source>Will be done at %1. You can cancel until then.</source>
        <translation>Provede se v&#xa0;%1. Do té doby to lze zrušit.</translation>
    </message>
    <message>
        <source>Will be done on %1. You can cancel until then.</source>
        <translation>Provede se %1. Do té doby to lze zrušit.</translation>
    </message>
    <message>
        <source>The connection broke while adding it. Check your calendar before you do it again.</source>
        <translation>Během zapisování se přerušilo spojení. Než to provedete znovu, podívejte se do kalendáře.</translation>
    </message>
    <message>
        <source>The connection broke while saving. Check Drafts before you save it again.</source>
        <translation>Během ukládání se přerušilo spojení. Než ho uložíte znovu, podívejte se do konceptů.</translation>
    </message>
    <message>
        <source>The server rejected this. Nothing was changed.</source>
        <translation>Server to odmítl; nic se nezměnilo.</translation>
    </message>
    <message>
        <source>Google does not allow this for your account. Sign in again and grant every permission.</source>
        <translation>Google to vašemu účtu nedovoluje. Přihlaste se znovu a&#xa0;udělte všechna oprávnění.</translation>
    </message>
    <message>
        <source>This account&apos;s calendar is no longer connected. Connect it in Settings, then do it anyway.</source>
        <translation>Tento účet už nemá připojený žádný kalendář. Připojte ho v&#xa0;Nastavení a&#xa0;pak to přesto proveďte.</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>odpovězeno</translation>
    </message>
    <message>
        <source>Invitation</source>
        <translation>Pozvánka</translation>
    </message>
    <message>
        <source>Your calendar no longer has this event with you as a guest. Cancel this, or answer by email.</source>
        <translation>Váš kalendář už tuto událost s&#xa0;vámi jako hostem nemá. Zrušte to, nebo odpovězte e-mailem.</translation>
    </message>
    <message>
        <source>It comes from a copy of the mailbox file. Replyroom first checks what happened to it; it is not sent in the meantime.</source>
        <translation>Pochází z&#xa0;kopie souboru schránky. Nejdřív se zjistí, co se s&#xa0;ním od té doby stalo; do té doby neodejde.</translation>
    </message>
    <message>
        <source>It comes from a copy of the mailbox file and may have been undone since. Do it or cancel it.</source>
        <translation>Pochází z&#xa0;kopie souboru schránky a&#xa0;mezitím to mohlo být vzato zpět: proveďte to, nebo zrušte.</translation>
    </message>
    <message>
        <source>A newer email arrived in this conversation after you approved. Check it, then send or cancel.</source>
        <translation>Po vašem schválení přišel do konverzace novější e-mail. Podívejte se na něj a&#xa0;pak odešlete, nebo zrušte.</translation>
    </message>
    <message>
        <source>You already replied from another app.</source>
        <translation>Mezitím jste v&#xa0;této konverzaci odpověděli jinde.</translation>
    </message>
    <message>
        <source>The server rejected this email. Check the recipients.</source>
        <translation>Server tento e-mail odmítl. Zkontrolujte příjemce.</translation>
    </message>
    <message>
        <source>It comes from a copy of the mailbox file and wasn&apos;t found in Sent. It may have been undone since. Send it or cancel it.</source>
        <translation>E-mail pochází z&#xa0;kopie souboru schránky a&#xa0;v&#xa0;odeslané poště není. Mezitím mohl být vzat zpět: pošlete ho, nebo zrušte.</translation>
    </message>
    <message>
        <source>The connection broke while sending. Checking Gmail now; it isn&apos;t sent again in the meantime.</source>
        <translation>Během odesílání se přerušilo spojení. Hledá se v&#xa0;Gmailu a&#xa0;mezitím se znovu neposílá.</translation>
    </message>
    <message>
        <source>The connection broke while sending. Gmail is checked as soon as the account is back; it isn&apos;t sent again in the meantime.</source>
        <translation>Během odesílání se přerušilo spojení. Jakmile bude účet zase dostupný, vyhledá se v&#xa0;Gmailu; do té doby se znovu neposílá.</translation>
    </message>
    <message>
        <source>%1 wrote again after you approved: %2. Check it, then send or cancel.</source>
        <translation>%1: po vašem schválení přišel další e-mail (%2). Podívejte se na něj a&#xa0;potom odešlete, nebo zrušte.</translation>
    </message>
    <message>
        <source>The connection broke. Replyroom checks what happened as soon as the server answers.</source>
        <translation>Mezitím se přerušilo spojení. Jak to dopadlo, se zjistí, jakmile server odpoví.</translation>
    </message>
    <message>
        <source>Something else was added to your calendar at that time after you approved. Check it, then continue anyway or cancel.</source>
        <translation>Po schválení vám v&#xa0;té době přibylo v&#xa0;kalendáři něco jiného. Podívejte se na to a&#xa0;pak to přesto proveďte, nebo zrušte.</translation>
    </message>
</context>
<context>
    <name>OutboxPage</name>
    <message>
        <source>Outbox</source>
        <translation>K&#xa0;odeslání</translation>
    </message>
    <message>
        <source>Open the conversation</source>
        <translation>Otevřít konverzaci</translation>
    </message>
    <message>
        <source>Outgoing email appears here.</source>
        <translation>Co schválíte, prochází tudy na cestě ven.</translation>
    </message>
    <message>
        <source>Nothing to send</source>
        <translation>Nic není na cestě</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>approved %1</source>
        <translation>schváleno %1</translation>
    </message>
    <message>
        <source>written by you, %1</source>
        <translation>napsáno vámi, %1</translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation>
            <numerusform>%n pokus</numerusform>
            <numerusform>%n pokusy</numerusform>
            <numerusform>%n pokusů</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel sending</source>
        <translation>Zrušit odeslání</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Přesto odeslat</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>Odeslat hned</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Do it anyway</source>
        <translation>Přesto provést</translation>
    </message>
    <message>
        <source>Do it now</source>
        <translation>Provést hned</translation>
    </message>
    <message>
        <source>Canceling. The draft goes back to Review.</source>
        <translation>Ruším; koncept se vrátí ke schválení.</translation>
    </message>
    <message>
        <source>Canceling…</source>
        <translation>Ruší se…</translation>
    </message>
    <message>
        <source>On its way.</source>
        <translation>Je na cestě.</translation>
    </message>
    <message>
        <source>Open Review</source>
        <translation>Otevřít schvalování</translation>
    </message>
    <message>
        <source>Send as soon as possible</source>
        <translation>Odeslat co nejdřív</translation>
    </message>
    <message>
        <source>Do it as soon as possible</source>
        <translation>Provést co nejdřív</translation>
    </message>
    <message>
        <source>Doing it now.</source>
        <translation>Právě se provádí.</translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation>Text zprávy</translation>
    </message>
    <message>
        <source>Mailbox changes</source>
        <translation>Změny ve schránce</translation>
    </message>
    <message>
        <source>What you archive, label or move is listed here.</source>
        <translation>Zde je seznam toho, co archivujete, označíte štítkem nebo přesunete.</translation>
    </message>
    <message>
        <source>Canceling. The message goes back to Drafts.</source>
        <translation>Ruší se; e-mail se vrátí mezi koncepty.</translation>
    </message>
    <message>
        <source>Redrafting with the latest messages. It will appear in Review.</source>
        <translation>Navrhuje se znovu i&#xa0;s&#xa0;tím, co mezitím přišlo; objeví se ve schvalování.</translation>
    </message>
    <message>
        <source>made by a rule</source>
        <translation>provedlo pravidlo</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>Vráceno zpět.</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>This page couldn&apos;t be loaded</source>
        <translation>Tuto stránku teď nelze načíst</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Nalezené</translation>
    </message>
    <message>
        <source>No commands found. Press Enter to search all mail.</source>
        <translation>Nic neodpovídá. Enter prohledá veškerou poštu.</translation>
    </message>
    <message>
        <source>Search all mail for “%1”</source>
        <translation>Hledat „%1“ ve veškeré poště</translation>
    </message>
    <message>
        <source>page</source>
        <translation>stránka</translation>
    </message>
    <message>
        <source>unsnooze</source>
        <translation>zrušit odložení</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>%1 after a restart. %2 undoes it.</source>
        <translation>%1 (po restartu). Zpět vezmete klávesami %2.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Spustit znovu</translation>
    </message>
    <message>
        <source>template</source>
        <translation>šablona</translation>
    </message>
    <message>
        <source>write to</source>
        <translation>napsat</translation>
    </message>
    <message>
        <source>Search or run a command</source>
        <translation>Hledat nebo spustit příkaz</translation>
    </message>
    <message>
        <source>A command, setting, person or words from an email…</source>
        <translation>Příkaz, stránka, člověk, slova z&#xa0;e-mailu…</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>Review</source>
        <translation>Schvalování</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Asistent</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Čekání</translation>
    </message>
    <message>
        <source>Outbox</source>
        <translation>K&#xa0;odeslání</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Činnost</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Paměť</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Nastavení</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Dnes</translation>
    </message>
</context>
<context>
    <name>PlanEditor</name>
    <message>
        <source>Plan</source>
        <translation>Plán</translation>
    </message>
</context>
<context>
    <name>PreferenceEditor</name>
    <message>
        <source>What it&apos;s about</source>
        <translation>Čeho se týká</translation>
    </message>
    <message>
        <source>What to remember</source>
        <translation>Slova k&#xa0;zapamatování</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>New preference</source>
        <translation>Nové pravidlo</translation>
    </message>
    <message>
        <source>One sentence, as you would say it to an assistant.</source>
        <translation>Jedna věta, jak byste to řekli asistentovi.</translation>
    </message>
    <message>
        <source>Who you are and what you do. A language model gets it with each draft.</source>
        <translation>Kdo jste a&#xa0;co děláte. Jazykový model to dostane s&#xa0;každým konceptem.</translation>
    </message>
    <message>
        <source>Once you change it, it stays as you wrote it. Clear it to have it made from your sent emails again.</source>
        <translation>Jakmile text změníte, zůstane tak, jak jste ho napsali. Když ho smažete, vytvoří se znovu z&#xa0;odeslaných e-mailů.</translation>
    </message>
</context>
<context>
    <name>PreviewScreen</name>
    <message>
        <source>How far back</source>
        <translation>Jak daleko zpět</translation>
    </message>
    <message numerus="yes">
        <source>the last %n day(s)</source>
        <translation>
            <numerusform>poslední %n den</numerusform>
            <numerusform>poslední %n dny</numerusform>
            <numerusform>posledních %n dnů</numerusform>
        </translation>
    </message>
    <message>
        <source>everything</source>
        <translation>celé období</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Začít</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Teď ne</translation>
    </message>
    <message>
        <source>%1 is connected.</source>
        <translation>Schránka %1 je připojena.</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Počítám…</translation>
    </message>
    <message>
        <source>No unread mail</source>
        <translation>Nepřečtená pošta tam není</translation>
    </message>
    <message numerus="yes">
        <source>about %n draft(s)</source>
        <translation>
            <numerusform>asi %n koncept</numerusform>
            <numerusform>asi %n koncepty</numerusform>
            <numerusform>asi %n konceptů</numerusform>
        </translation>
    </message>
    <message>
        <source>The price of this model is not known.</source>
        <translation>Cena tohoto modelu není známa.</translation>
    </message>
    <message>
        <source>for about $%1</source>
        <translation>asi za %1&#xa0;$</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation>Můžeme začít</translation>
    </message>
    <message>
        <source>Check unread mail from</source>
        <translation>Projít nepřečtenou doručenou poštu za</translation>
    </message>
    <message>
        <source>New mail will be checked too. Nothing is sent without your approval.</source>
        <translation>Od té chvíle se prochází i&#xa0;nová pošta. Bez vás se nic neodešle.</translation>
    </message>
    <message>
        <source>Only new mail will be checked.</source>
        <translation>Procházela by se jen nová pošta.</translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) to check</source>
        <translation>
            <numerusform>Ke kontrole: %n e-mail</numerusform>
            <numerusform>Ke kontrole: %n e-maily</numerusform>
            <numerusform>Ke kontrole: %n e-mailů</numerusform>
        </translation>
    </message>
    <message>
        <source>under $0.01</source>
        <translation>za méně než jeden cent</translation>
    </message>
</context>
<context>
    <name>PrivacySection</name>
    <message>
        <source>Privacy</source>
        <translation>Soukromí</translation>
    </message>
    <message>
        <source>Always load images from</source>
        <translation>Obrázky se vždy načtou od</translation>
    </message>
    <message>
        <source>Your dictionary</source>
        <translation>Váš slovník</translation>
    </message>
    <message>
        <source>Mail goes to and from Google through your own sign-in.</source>
        <translation>Pošta jde do Googlu a&#xa0;z&#xa0;Googlu, přes vaše vlastní přihlášení.</translation>
    </message>
    <message>
        <source>Calendar and contacts are read from Google, and meetings you approve are entered there.</source>
        <translation>Kalendář a&#xa0;kontakty se čtou z&#xa0;Googlu a&#xa0;schůzky, které schválíte, se tam zapíší.</translation>
    </message>
    <message>
        <source>What agents search for goes to %1.</source>
        <translation>Co agenti hledají, jde sem: %1.</translation>
    </message>
    <message>
        <source>Agents may read pages on: %1.</source>
        <translation>Agenti smějí číst stránky: %1.</translation>
    </message>
    <message>
        <source>Requests about mail go to the Gmail service at %1, with the documents they need.</source>
        <translation>Požadavky na poštu jdou službě pro Gmail na %1, i&#xa0;s&#xa0;dokumenty, které k&#xa0;nim patří.</translation>
    </message>
    <message>
        <source>No language model is set. Drafts are made here from your earlier replies.</source>
        <translation>Není nastaven žádný jazykový model: koncepty vznikají tady, z&#xa0;vašich dřívějších odpovědí.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>“%1” is no longer in your dictionary.</source>
        <translation>„%1“ už není ve vašem slovníku.</translation>
    </message>
    <message>
        <source>Your mail is stored on this computer. Here&apos;s what leaves it.</source>
        <translation>Vaše pošta leží v&#xa0;tomto počítači. Tohle ho opouští.</translation>
    </message>
    <message>
        <source>None. Images load when you ask.</source>
        <translation>Nikdo. Obrázky se načtou, když o&#xa0;ně požádáte.</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Zatím žádné slovo.</translation>
    </message>
    <message>
        <source>What&apos;s shared</source>
        <translation>Co opouští počítač</translation>
    </message>
    <message>
        <source>With your current settings.</source>
        <translation>Podle toho, jak je teď nastaveno.</translation>
    </message>
    <message>
        <source>Their servers see when you open an email. Tracking pixels are never loaded.</source>
        <translation>Jejich servery vidí, kdy e-mail otevřete. Sledovací obrázky se nenačítají nikdy.</translation>
    </message>
    <message>
        <source>Words you added to the dictionary.</source>
        <translation>Co jste při psaní označili za správné; už se nepodtrhává.</translation>
    </message>
    <message>
        <source>Profiles may use their own model or tool servers. Open a profile to see what those get.</source>
        <translation>Profily mohou používat vlastní model nebo servery s&#xa0;nástroji; co dostanou, stojí u&#xa0;nich.</translation>
    </message>
    <message>
        <source>Email text goes to the language model on this computer.</source>
        <translation>Slova z&#xa0;pošty jdou jazykovému modelu v&#xa0;tomto počítači.</translation>
    </message>
    <message>
        <source>The email being answered, and similar emails, are sent to %1.</source>
        <translation>E-mail, na který se odpovídá, a&#xa0;podobné e-maily se posílají sem: %1.</translation>
    </message>
    <message>
        <source>Images from %1 no longer load automatically.</source>
        <translation>Obrázky se už nenačítají samy (od: %1).</translation>
    </message>
    <message>
        <source>What went to language models in the last 30 days.</source>
        <translation>Co odešlo jazykovým modelům za posledních 30 dní.</translation>
    </message>
    <message>
        <source>What left this computer</source>
        <translation>Co opustilo tento počítač</translation>
    </message>
</context>
<context>
    <name>ProfileEditor</name>
    <message>
        <source>for example orders</source>
        <translation>například objednavky</translation>
    </message>
    <message>
        <source>Who it is, what it should do with an email, and what it must leave to you.</source>
        <translation>Kdo je, co má s&#xa0;e-mailem udělat a&#xa0;co má nechat na vás.</translation>
    </message>
    <message>
        <source>Add a rule</source>
        <translation>Přidat pravidlo</translation>
    </message>
    <message>
        <source>Edit rules</source>
        <translation>Upravit pravidla</translation>
    </message>
    <message>
        <source>Add a tool server</source>
        <translation>Přidat server s&#xa0;nástroji</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Přidat</translation>
    </message>
    <message numerus="yes">
        <source>turn(s) for an email</source>
        <translation>
            <numerusform>kolo na e-mail</numerusform>
            <numerusform>kola na e-mail</numerusform>
            <numerusform>kol na e-mail</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>token(s) for an answer</source>
        <translation>
            <numerusform>token na odpověď</numerusform>
            <numerusform>tokeny na odpověď</numerusform>
            <numerusform>tokenů na odpověď</numerusform>
        </translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>teplota</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Zahodit</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Název</translation>
    </message>
    <message>
        <source>Paste the JSON from the server&apos;s documentation. Nothing starts until you allow it.</source>
        <translation>Vložte JSON, který autor serveru uvádí pro jiné programy. Nic se nespustí, dokud to nepovolíte.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>JSON of the tool server</source>
        <translation>JSON serveru s&#xa0;nástroji</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>Otevřít soubor</translation>
    </message>
    <message>
        <source>Open the prompt</source>
        <translation>Otevřít pokyny</translation>
    </message>
    <message>
        <source>Turn limit</source>
        <translation>Nejvíce kol</translation>
    </message>
    <message>
        <source>Answer limit</source>
        <translation>Nejdelší odpověď</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Teplota</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Technické podrobnosti</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Pokyny</translation>
    </message>
    <message>
        <source>Email it gets</source>
        <translation>Pošta, kterou dostane</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Nástroje</translation>
    </message>
    <message>
        <source>Tool servers</source>
        <translation>Servery s&#xa0;nástroji</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Save it first, then choose.</source>
        <translation>Nejdřív profil uložte, pak vyberte.</translation>
    </message>
    <message>
        <source>None yet. Add a rule to send email to it.</source>
        <translation>Zatím žádná. Poštu mu posílá pravidlo.</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>Řádek %1: %2</translation>
    </message>
</context>
<context>
    <name>ProfileTrial</name>
    <message>
        <source>Email to try the profile on</source>
        <translation>E-mail, na kterém se profil vyzkouší</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Vyzkoušet</translation>
    </message>
    <message>
        <source>What the agent did and would have done</source>
        <translation>Co agent udělal a&#xa0;co by udělal</translation>
    </message>
    <message>
        <source>Test run: the model is used, but nothing is changed, drafted or sent.</source>
        <translation>Agent čte a&#xa0;odpovídá jako doopravdy a&#xa0;volá svůj model. Nic se nezmění, nepřipraví ani neodešle.</translation>
    </message>
    <message>
        <source>The agent is working…</source>
        <translation>Agent pracuje…</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>Nečekat</translation>
    </message>
    <message>
        <source>Try it on an email</source>
        <translation>Vyzkoušet na e-mailu</translation>
    </message>
</context>
<context>
    <name>Profiles</name>
    <message>
        <source>needs your consent</source>
        <translation>čeká na váš souhlas</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>spouští se</translation>
    </message>
    <message>
        <source>running</source>
        <translation>běží</translation>
    </message>
    <message>
        <source>ended, restarting soon</source>
        <translation>skončil, brzy se zkusí znovu</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>zastaven</translation>
    </message>
    <message>
        <source>available, asks each time</source>
        <translation>nabízí se, pokaždé se zeptá</translation>
    </message>
    <message>
        <source>available, allowed by you</source>
        <translation>nabízí se, máte ho povolený</translation>
    </message>
    <message>
        <source>new, off until you allow it</source>
        <translation>nový, vypnutý, dokud nesouhlasíte</translation>
    </message>
    <message>
        <source>description changed, off until you allow it</source>
        <translation>nyní se popisuje jinak, vypnutý, dokud nesouhlasíte</translation>
    </message>
    <message>
        <source>can&apos;t be used by a model</source>
        <translation>modelu ho nelze nabídnout</translation>
    </message>
    <message>
        <source>The agent finished.</source>
        <translation>Agent skončil.</translation>
    </message>
    <message>
        <source>The agent ran out of turns.</source>
        <translation>Agent vyčerpal své kroky.</translation>
    </message>
    <message>
        <source>held back; it would have run without asking</source>
        <translation>zadrženo; proběhlo by bez ptaní</translation>
    </message>
    <message>
        <source>held back; it would have asked you</source>
        <translation>zadrženo; zeptalo by se vás</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>odmítnuto</translation>
    </message>
    <message>
        <source>read</source>
        <translation>přečteno</translation>
    </message>
    <message>
        <source>Its last message:</source>
        <translation>Jeho poslední slova:</translation>
    </message>
    <message>
        <source>The agent could not continue.</source>
        <translation>Agent nemohl pokračovat.</translation>
    </message>
    <message>
        <source>Search your mail</source>
        <translation>Hledat v&#xa0;poště</translation>
    </message>
    <message>
        <source>Read the conversation</source>
        <translation>Číst konverzaci</translation>
    </message>
    <message>
        <source>Look up a sender</source>
        <translation>Vyhledat odesílatele</translation>
    </message>
    <message>
        <source>See when you are free</source>
        <translation>Zjistit, kdy máte volno</translation>
    </message>
    <message>
        <source>Schedule a meeting</source>
        <translation>Naplánovat schůzku</translation>
    </message>
    <message>
        <source>Write a draft</source>
        <translation>Napsat koncept</translation>
    </message>
    <message>
        <source>Send a reply</source>
        <translation>Odeslat odpověď</translation>
    </message>
    <message>
        <source>Hand the email to you</source>
        <translation>Předat e-mail vám</translation>
    </message>
    <message>
        <source>Remember a preference</source>
        <translation>Zapamatovat si přání</translation>
    </message>
    <message>
        <source>Read a document</source>
        <translation>Číst dokument</translation>
    </message>
    <message>
        <source>Write a document</source>
        <translation>Napsat dokument</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>Hledat na webu</translation>
    </message>
    <message>
        <source>Read a web page</source>
        <translation>Číst webovou stránku</translation>
    </message>
    <message>
        <source>Search the drug catalog</source>
        <translation>Hledat v&#xa0;katalogu léků</translation>
    </message>
    <message>
        <source>Reserve a drug</source>
        <translation>Rezervovat lék</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>čte</translation>
    </message>
    <message>
        <source>marks email as read</source>
        <translation>označuje poštu jako přečtenou</translation>
    </message>
    <message>
        <source>writes on this computer</source>
        <translation>zapisuje v&#xa0;tomto počítači</translation>
    </message>
    <message>
        <source>sends, after your approval</source>
        <translation>odesílá, po vašem schválení</translation>
    </message>
    <message>
        <source>writes to your calendar, after your approval</source>
        <translation>zapisuje do kalendáře, po vašem schválení</translation>
    </message>
    <message>
        <source>deletes, after your approval</source>
        <translation>maže, po vašem schválení</translation>
    </message>
    <message>
        <source>reads the web, within your rules</source>
        <translation>čte web podle vašich pravidel</translation>
    </message>
    <message>
        <source>needs a search service: Settings &gt; Web</source>
        <translation>chybí vyhledávač: Nastavení, Web</translation>
    </message>
    <message>
        <source>needs a site: Settings &gt; Web</source>
        <translation>chybí povolený web: Nastavení, Web</translation>
    </message>
    <message>
        <source>needs a drug catalog</source>
        <translation>chybí katalog léků</translation>
    </message>
    <message>
        <source>needs a calendar: Settings &gt; Calendar and contacts</source>
        <translation>chybí kalendář: Nastavení, Kalendář a&#xa0;kontakty</translation>
    </message>
</context>
<context>
    <name>ProfilesSection</name>
    <message>
        <source>Profiles</source>
        <translation>Profily</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>No profiles yet. A profile answers one kind of mail with its own prompt and tools.</source>
        <translation>Nejsou tu žádné profily. Profil odpovídá na určitý druh pošty s&#xa0;vlastními pokyny a&#xa0;nástroji.</translation>
    </message>
    <message>
        <source>Agents for mail that a rule sends to them. Whatever the prompt says, nothing is sent without your approval.</source>
        <translation>Agenti pro poštu, kterou jim pošle pravidlo. Ať pokyny říkají cokoli, žádný e-mail neodejde bez vašeho schválení.</translation>
    </message>
    <message>
        <source>Open the example</source>
        <translation>Otevřít příklad</translation>
    </message>
    <message>
        <source>New profile</source>
        <translation>Nový profil</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplikovat</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Smazat</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Zahodit</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>The profile “%1” is saved.</source>
        <translation>Profil „%1“ je uložený.</translation>
    </message>
    <message numerus="yes">
        <source>The profile “%1” and its %n rule(s) were deleted.</source>
        <translation>
            <numerusform>Profil „%1“ a&#xa0;%n jeho pravidlo byly smazány.</numerusform>
            <numerusform>Profil „%1“ a&#xa0;%n jeho pravidla byly smazány.</numerusform>
            <numerusform>Profil „%1“ a&#xa0;%n jeho pravidel bylo smazáno.</numerusform>
        </translation>
    </message>
    <message>
        <source>The profile “%1” was deleted.</source>
        <translation>Profil „%1“ byl smazán.</translation>
    </message>
    <message>
        <source>%1 (off)</source>
        <translation>%1 (vypnutý)</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Zapnout</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>Vypnout</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
</context>
<context>
    <name>ProposalCard</name>
    <message>
        <source>Submit answer</source>
        <translation>Předat odpověď</translation>
    </message>
    <message>
        <source>Draft without the model</source>
        <translation>Navrhnout bez modelu</translation>
    </message>
</context>
<context>
    <name>ProviderCards</name>
    <message>
        <source>No AI</source>
        <translation>Bez AI</translation>
    </message>
    <message>
        <source>Needs a key</source>
        <translation>Potřebuje klíč</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>V&#xa0;tomto počítači</translation>
    </message>
    <message>
        <source>Other server</source>
        <translation>Jiný server</translation>
    </message>
    <message numerus="yes">
        <source>Running, %n model(s)</source>
        <translation>
            <numerusform>Běží, %n model</numerusform>
            <numerusform>Běží, %n modely</numerusform>
            <numerusform>Běží, %n modelů</numerusform>
        </translation>
    </message>
    <message>
        <source>Works offline</source>
        <translation>Funguje offline</translation>
    </message>
    <message>
        <source>Enter its address</source>
        <translation>Podle adresy</translation>
    </message>
    <message>
        <source>Run by Replyroom</source>
        <translation>Spouští Replyroom</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>Soubor modelu</translation>
    </message>
</context>
<context>
    <name>QuitPrompt</name>
    <message>
        <source>Quit</source>
        <translation>Ukončit</translation>
    </message>
    <message>
        <source>Send them before you quit, or keep them until Replyroom starts again.</source>
        <translation>Mohou odejít, než Replyroom skončí, nebo bezpečně počkat na příští spuštění.</translation>
    </message>
    <message>
        <source>Send, then quit</source>
        <translation>Odeslat a&#xa0;skončit</translation>
    </message>
    <message>
        <source>Quit now</source>
        <translation>Skončit hned</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Zůstat</translation>
    </message>
    <message numerus="yes">
        <source>%n approved email(s) not sent yet.</source>
        <translation>
            <numerusform>%n schválený e-mail je ještě na cestě.</numerusform>
            <numerusform>%n schválené e-maily jsou ještě na cestě.</numerusform>
            <numerusform>%n schválených e-mailů je ještě na cestě.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReadingPane</name>
    <message>
        <source>Back to the list</source>
        <translation>Zpět na seznam</translation>
    </message>
    <message>
        <source>Messages in the conversation</source>
        <translation>Zprávy v&#xa0;konverzaci</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nic není vybráno</translation>
    </message>
    <message>
        <source>Choose a conversation to read it here.</source>
        <translation>Vyberte konverzaci a&#xa0;přečtěte si ji tady.</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Downloading the original…</source>
        <translation>Načítá se zdroj…</translation>
    </message>
</context>
<context>
    <name>RefineRow</name>
    <message>
        <source>Did you mean “%1”?</source>
        <translation>Měli jste na mysli „%1“?</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Změnit</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>Změnit: %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Odebrat: %1</translation>
    </message>
</context>
<context>
    <name>RemoteImagesBar</name>
    <message>
        <source>Load images</source>
        <translation>Načíst obrázky</translation>
    </message>
    <message>
        <source>Always show from this sender</source>
        <translation>Od tohoto odesílatele vždy</translation>
    </message>
    <message>
        <source>Stop showing from this sender</source>
        <translation>Od tohoto odesílatele už ne</translation>
    </message>
    <message>
        <source>Images from this sender are loaded</source>
        <translation>Obrázky tohoto odesílatele se načítají</translation>
    </message>
    <message>
        <source>Images are loaded this once</source>
        <translation>Obrázky jsou načteny jen tentokrát</translation>
    </message>
    <message>
        <source>Trackers blocked: {hosts}</source>
        <translation>Vynechané sledovací pixely: {hosts}</translation>
    </message>
    <message numerus="yes">
        <source>Images are off: %n remote image(s) not loaded</source>
        <translation>
            <numerusform>Obrázky jsou vypnuté: %n vzdálený obrázek nenačten</numerusform>
            <numerusform>Obrázky jsou vypnuté: %n vzdálené obrázky nenačteny</numerusform>
            <numerusform>Obrázky jsou vypnuté: %n vzdálených obrázků nenačteno</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RemovableLines</name>
    <message>
        <source>Remove %1</source>
        <translation>Odebrat: %1</translation>
    </message>
</context>
<context>
    <name>ReplyBelow</name>
    <message>
        <source>Reply</source>
        <translation>Odpověď</translation>
    </message>
    <message>
        <source>The conversation was deleted in Gmail. Your reply becomes a new conversation.</source>
        <translation>Konverzace byla v&#xa0;Gmailu smazána. Vaše odpověď začne novou konverzaci.</translation>
    </message>
</context>
<context>
    <name>RequestDetail</name>
    <message>
        <source>Request</source>
        <translation>Požadavek</translation>
    </message>
    <message>
        <source>Back to the requests</source>
        <translation>Zpět na požadavky</translation>
    </message>
    <message>
        <source>Choose one to see its plan and result.</source>
        <translation>Vyberte některý a&#xa0;uvidíte jeho plán a&#xa0;výsledky.</translation>
    </message>
    <message>
        <source>No request chosen</source>
        <translation>Není vybrán žádný požadavek</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Zapomenuto.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>předáno</translation>
    </message>
    <message>
        <source>Queued. It runs when Replyroom is ready.</source>
        <translation>Předáno. Pokud zrovna neběží jádro programu, udělá se to, jakmile poběží.</translation>
    </message>
    <message>
        <source>The request resumes automatically.</source>
        <translation>Požadavek bude pokračovat automaticky.</translation>
    </message>
    <message>
        <source>The assistant makes a plan. Nothing is written or sent before you see it.</source>
        <translation>Asistent sestavuje plán. Dokud ho neuvidíte, nic se nenapíše ani neodešle.</translation>
    </message>
    <message>
        <source>Stopped. Finished steps are kept.</source>
        <translation>Zastaveno. Co je hotové, zůstává, a&#xa0;co čeká ve Schvalování, čeká dál.</translation>
    </message>
    <message>
        <source>Review the plan, change it if you like, and run it. It only reads.</source>
        <translation>Podívejte se na plán, případně ho upravte a&#xa0;spusťte. Jen čte.</translation>
    </message>
    <message>
        <source>Review the plan, change it if you like, and run it. Mail is never sent without your approval in Review.</source>
        <translation>Podívejte se na plán, případně ho upravte a&#xa0;spusťte. Bez vašeho schválení ve Schvalování se nikdy nic neodešle.</translation>
    </message>
    <message>
        <source>Step removed.</source>
        <translation>Krok byl odebrán.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Pokračovat</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Technické podrobnosti</translation>
    </message>
    <message>
        <source>Reads only: %1</source>
        <translation>Čte jen: %1</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>has blanks</source>
        <translation>k&#xa0;doplnění</translation>
    </message>
    <message>
        <source>has warnings</source>
        <translation>s&#xa0;varováním</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>čeká</translation>
    </message>
    <message>
        <source>approved</source>
        <translation>schváleno</translation>
    </message>
    <message>
        <source>saved as Gmail draft</source>
        <translation>uloženo jako koncept v&#xa0;Gmailu</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>zamítnuto</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>zodpovězeno</translation>
    </message>
    <message>
        <source>dismissed</source>
        <translation>zavřeno</translation>
    </message>
    <message>
        <source>replaced by a newer email</source>
        <translation>nahrazeno novějším e-mailem</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Odpovědět</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>Vaše odpověď</translation>
    </message>
    <message>
        <source>What should the reply say?</source>
        <translation>Co má v&#xa0;odpovědi stát?</translation>
    </message>
    <message>
        <source>Ask for a reply</source>
        <translation>Požádat o&#xa0;odpověď</translation>
    </message>
    <message>
        <source>What should change? For example: shorter, and propose Thursday</source>
        <translation>Co se má změnit? Například: kratší a&#xa0;navrhni čtvrtek</translation>
    </message>
    <message>
        <source>Ask for changes</source>
        <translation>Požádat o&#xa0;změny</translation>
    </message>
    <message>
        <source>No reply needed.</source>
        <translation>Pro vaši informaci; odpověď zřejmě není potřeba.</translation>
    </message>
    <message>
        <source>The assistant leaves this one to you.</source>
        <translation>Asistent to předává vám.</translation>
    </message>
    <message>
        <source>The assistant wants to do this for you.</source>
        <translation>Asistent to chce udělat za vás.</translation>
    </message>
    <message>
        <source>The assistant proposes these steps.</source>
        <translation>Asistent navrhuje tyto kroky.</translation>
    </message>
    <message>
        <source>The meeting has no title.</source>
        <translation>Schůzka nemá název.</translation>
    </message>
    <message>
        <source>new email</source>
        <translation>nový e-mail</translation>
    </message>
    <message>
        <source>Add guests by their email addresses.</source>
        <translation>Mezi hosty je něco jiného než e-mailová adresa, nebo tam nikdo není.</translation>
    </message>
    <message>
        <source>That time doesn&apos;t exist (clocks go forward).</source>
        <translation>Tento čas ten den při změně času neexistuje.</translation>
    </message>
    <message>
        <source>The meeting must end after it starts, within a day.</source>
        <translation>Schůzka musí skončit po svém začátku, nejpozději do jednoho dne.</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t in a format the action accepts.</source>
        <translation>„%1“ nemá podobu, kterou akce přijímá.</translation>
    </message>
    <message>
        <source>Fill in: %1.</source>
        <translation>Doplnit: %1.</translation>
    </message>
    <message>
        <source>Not found in your mail: “%1”.</source>
        <translation>V&#xa0;žádném zdroji: „%1“.</translation>
    </message>
    <message>
        <source>From your mail: “%1”.</source>
        <translation>Ze zdroje: „%1“.</translation>
    </message>
    <message>
        <source>Files: %1</source>
        <translation>Soubory: %1</translation>
    </message>
    <message>
        <source>Draft a reply</source>
        <translation>Připravit odpověď</translation>
    </message>
    <message>
        <source>The assistant needs an answer to continue.</source>
        <translation>Asistent potřebuje něco vědět, než bude pokračovat.</translation>
    </message>
    <message>
        <source>No draft could be written. Please answer this email yourself.</source>
        <translation>Koncept se nepodařilo připravit; podívejte se na tento e-mail sami.</translation>
    </message>
</context>
<context>
    <name>ReviewDesk</name>
    <message>
        <source>This just appeared. Press again to approve it.</source>
        <translation>Tato položka se právě objevila. Pro schválení stiskněte znovu.</translation>
    </message>
</context>
<context>
    <name>ReviewList</name>
    <message>
        <source>Waiting for you</source>
        <translation>Čeká na vás</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Schvalování</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>Vybrána %n</numerusform>
            <numerusform>Vybrány %n</numerusform>
            <numerusform>Vybráno %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Hotové</translation>
    </message>
    <message>
        <source>Back to review</source>
        <translation>Zpět ke schválení</translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message>
        <source>Review</source>
        <translation>Schvalování</translation>
    </message>
    <message>
        <source>No answer needed</source>
        <translation>Odpověď není potřeba</translation>
    </message>
    <message>
        <source>Wrong tone</source>
        <translation>Nevhodný tón</translation>
    </message>
    <message>
        <source>Facts are wrong</source>
        <translation>Fakta nesedí</translation>
    </message>
    <message>
        <source>I&apos;ll write it myself</source>
        <translation>Raději to napíšu po svém</translation>
    </message>
    <message>
        <source>Why? (optional)</source>
        <translation>Proč? (nepovinné)</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Zamítnout</translation>
    </message>
    <message>
        <source>Never draft replies to %1</source>
        <translation>Už žádné koncepty pro odesílatele: %1</translation>
    </message>
    <message>
        <source>Never draft replies to anyone at %1</source>
        <translation>Už žádné koncepty pro poštu z&#xa0;domény %1</translation>
    </message>
    <message>
        <source>A new message came in this conversation, so this draft is not sent. Copy what you still need.</source>
        <translation>V&#xa0;konverzaci přibyl nový e-mail, takže se tento koncept neodešle. Zkopírujte si, co ještě potřebujete.</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) selected. Click one item to work on it alone.</source>
        <translation>
            <numerusform>Je vybrána %n položka. Klepnutím na jednu pracujete jen s&#xa0;ní.</numerusform>
            <numerusform>Jsou vybrány %n položky. Klepnutím na jednu pracujete jen s&#xa0;ní.</numerusform>
            <numerusform>Je vybráno %n položek. Klepnutím na jednu pracujete jen s&#xa0;ní.</numerusform>
        </translation>
    </message>
    <message>
        <source>Dismiss selected</source>
        <translation>Zavřít vybrané</translation>
    </message>
    <message>
        <source>This is the last item.</source>
        <translation>Toto je poslední.</translation>
    </message>
    <message>
        <source>This is the first item.</source>
        <translation>Toto je první.</translation>
    </message>
    <message>
        <source>You&apos;re all caught up.</source>
        <translation>Vše je vyřízeno.</translation>
    </message>
    <message>
        <source>All clear</source>
        <translation>Vše vyřízeno</translation>
    </message>
    <message>
        <source>Choose mail to check, and its drafts appear here.</source>
        <translation>Vyberte poštu ke kontrole a&#xa0;koncepty se objeví tady.</translation>
    </message>
    <message>
        <source>Choose mail to check…</source>
        <translation>Vybrat poštu…</translation>
    </message>
    <message>
        <source>Nothing decided yet</source>
        <translation>Zatím nic není rozhodnuto</translation>
    </message>
    <message>
        <source>What you approve or reject is listed here.</source>
        <translation>Tady je seznam toho, co schválíte nebo zamítnete.</translation>
    </message>
    <message>
        <source>Needs a language model. You can edit this yourself.</source>
        <translation>K&#xa0;tomu je potřeba jazykový model. Upravit to můžete sami.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Upravit</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>Vybrat model…</translation>
    </message>
    <message>
        <source>Approve drafts one at a time.</source>
        <translation>Koncepty schvalujte po jednom.</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Zatím se nic neprochází</translation>
    </message>
    <message>
        <source>Checking your mail…</source>
        <translation>Prochází se vaše pošta…</translation>
    </message>
    <message>
        <source>Drafts and questions appear here as soon as they are ready.</source>
        <translation>Koncepty a&#xa0;otázky se tu objeví, jakmile budou hotové.</translation>
    </message>
    <message>
        <source>Getting your mail…</source>
        <translation>Stahuje se vaše pošta…</translation>
    </message>
    <message>
        <source>Drafts appear here as they are written.</source>
        <translation>Koncepty se tu objeví, jakmile budou napsané.</translation>
    </message>
    <message>
        <source>%1 of %2 emails so far.</source>
        <translation>Zatím %1 z&#xa0;%2 e‑mailů.</translation>
    </message>
    <message>
        <source>You&apos;re all caught up. New drafts and questions appear here.</source>
        <translation>Nic na vás nečeká. Nové koncepty a&#xa0;otázky se tu objeví samy.</translation>
    </message>
    <message>
        <source>Do not send</source>
        <translation>Neodesílat</translation>
    </message>
    <message>
        <source>Do it anyway</source>
        <translation>Přesto provést</translation>
    </message>
    <message>
        <source>“%1” would go to %2.</source>
        <translation>„%1“ by odešla na adresu %2.</translation>
    </message>
    <message>
        <source>“%1” would go to %2 with these files: %3.</source>
        <translation>„%1“ by odešla na adresu %2 s&#xa0;těmito soubory: %3.</translation>
    </message>
    <message>
        <source>Send to %1 anyway</source>
        <translation>Přesto odeslat (komu: %1)</translation>
    </message>
    <message>
        <source>Drafting without the model. The draft will replace this item.</source>
        <translation>Připravuji koncept bez modelu. Nahradí tuto položku.</translation>
    </message>
    <message>
        <source>Go to Today</source>
        <translation>Přejít na Dnes</translation>
    </message>
</context>
<context>
    <name>RuleEditor</name>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>words in the subject</source>
        <translation>slova z&#xa0;předmětu</translation>
    </message>
    <message>
        <source>an existing or new label</source>
        <translation>váš štítek, nebo nový</translation>
    </message>
    <message>
        <source>part of a name or address</source>
        <translation>část jména nebo adresy</translation>
    </message>
    <message>
        <source>All filled-in conditions must match.</source>
        <translation>Musí platit všechny vyplněné podmínky.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Název</translation>
    </message>
    <message>
        <source>Applies to</source>
        <translation>Platí pro</translation>
    </message>
    <message>
        <source>From the address</source>
        <translation>Z&#xa0;adresy</translation>
    </message>
    <message>
        <source>From anyone at</source>
        <translation>Od kohokoli z&#xa0;domény</translation>
    </message>
    <message>
        <source>Sender contains</source>
        <translation>Odesílatel obsahuje</translation>
    </message>
    <message>
        <source>Subject contains</source>
        <translation>Předmět obsahuje</translation>
    </message>
    <message>
        <source>Forwarded from</source>
        <translation>Přeposláno z</translation>
    </message>
    <message>
        <source>Headers match</source>
        <translation>Hlavičky odpovídají</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>One header per line: name, colon, regular expression.</source>
        <translation>Na každém řádku jedna: název hlavičky, dvojtečka, regulární výraz.</translation>
    </message>
    <message>
        <source>A sentence, then Enter: archive newsletters from shop.com and mark them read</source>
        <translation>Věta a&#xa0;Enter: archivuj newslettery od shop.com a&#xa0;označ je jako přečtené</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Štítek</translation>
    </message>
    <message>
        <source>Also</source>
        <translation>A&#xa0;také</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Potom</translation>
    </message>
    <message>
        <source>New rule</source>
        <translation>Nové pravidlo</translation>
    </message>
    <message>
        <source>Edit rule</source>
        <translation>Změna pravidla</translation>
    </message>
    <message>
        <source>Give it a name and at least one condition.</source>
        <translation>Dejte mu název a&#xa0;aspoň jednu podmínku.</translation>
    </message>
    <message>
        <source>No agent profiles yet. See Profiles.</source>
        <translation>Zatím není žádný profil agenta; podívejte se do Profilů.</translation>
    </message>
    <message>
        <source>Every message</source>
        <translation>Každá zpráva</translation>
    </message>
    <message>
        <source>Newsletters and mailing lists</source>
        <translation>Newslettery a hromadná pošta</translation>
    </message>
    <message>
        <source>More conditions</source>
        <translation>Další podmínky</translation>
    </message>
    <message>
        <source>Describe the rule</source>
        <translation>Popište pravidlo</translation>
    </message>
    <message numerus="yes">
        <source>Also apply to %n message(s) already here</source>
        <translation>
            <numerusform>Použít i&#xa0;na %n zprávu, která tu už je</numerusform>
            <numerusform>Použít i&#xa0;na %n zprávy, které tu už jsou</numerusform>
            <numerusform>Použít i&#xa0;na %n zpráv, které tu už jsou</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RuleTable</name>
    <message>
        <source>Rule</source>
        <translation>Pravidlo</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Podmínky</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Co dělá</translation>
    </message>
    <message>
        <source>Rules in order</source>
        <translation>Pravidla v&#xa0;jejich pořadí</translation>
    </message>
</context>
<context>
    <name>RuleTrial</name>
    <message>
        <source>A header pattern is too slow and never matches: %1</source>
        <translation>Vzor pro hlavičku trvá příliš dlouho a&#xa0;bere se, jako by neodpovídal: %1</translation>
    </message>
    <message>
        <source>Emails this rule matches</source>
        <translation>E-maily, kterých se pravidlo týká</translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message>
        <source>Use the response agent</source>
        <translation>Použít agenta pro odpovědi</translation>
    </message>
    <message>
        <source>Use agent profile</source>
        <translation>Použít profil agenta</translation>
    </message>
    <message>
        <source>Rules act when mail arrives. They can&apos;t use its age: “%1”.</source>
        <translation>Pravidla se použijí, když pošta přijde. Jejím stářím se řídit nemohou: „%1“.</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivovat</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>Označit jako přečtené</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Přidat hvězdičku</translation>
    </message>
    <message>
        <source>Move to spam</source>
        <translation>Přesunout do spamu</translation>
    </message>
    <message>
        <source>Label “%1”</source>
        <translation>Štítek „%1“</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>od: %1</translation>
    </message>
    <message>
        <source>from anyone at %1</source>
        <translation>z&#xa0;domény: %1</translation>
    </message>
    <message>
        <source>subject contains “%1”</source>
        <translation>předmět obsahuje „%1“</translation>
    </message>
    <message>
        <source>forwarded from %1</source>
        <translation>přeposláno z: %1</translation>
    </message>
    <message>
        <source>newsletters and mailing lists</source>
        <translation>newslettery a hromadná pošta</translation>
    </message>
    <message>
        <source>sender contains “%1”</source>
        <translation>odesílatel obsahuje „%1“</translation>
    </message>
    <message>
        <source>header %1 matches %2</source>
        <translation>hlavička %1 odpovídá vzoru %2</translation>
    </message>
    <message>
        <source> and </source>
        <translation> a </translation>
    </message>
    <message>
        <source>Draft a reply</source>
        <translation>Navrhnout odpověď</translation>
    </message>
    <message>
        <source>Don&apos;t draft a reply</source>
        <translation>Nenavrhovat odpověď</translation>
    </message>
    <message>
        <source>Rules can label, archive, mark as read, star, move to spam, or stop drafts.</source>
        <translation>Pravidla umí přidat štítek, archivovat, označit jako přečtené, označit hvězdičkou, přesunout do spamu nebo nenavrhovat odpověď.</translation>
    </message>
    <message>
        <source>Rules can&apos;t do this: “%1”.</source>
        <translation>Tohle pravidla neumí: „%1“.</translation>
    </message>
    <message>
        <source>For which messages? For example: from ana@example.org.</source>
        <translation>Pro které zprávy? Například: od ana@example.org.</translation>
    </message>
    <message>
        <source>What to do with them?</source>
        <translation>Co s&#xa0;nimi udělat?</translation>
    </message>
    <message>
        <source>Say which messages, and what to do with them: archive mail from ana@example.org</source>
        <translation>Napište, které zprávy a&#xa0;co s&#xa0;nimi: archivuj poštu od ana@example.org</translation>
    </message>
    <message>
        <source>no rule</source>
        <translation>žádné pravidlo</translation>
    </message>
    <message>
        <source>Matches %1 of your last %2 emails. Changes the outcome for %3.</source>
        <translation>Odpovídalo by %1 z&#xa0;posledních %2 e-mailů; jinam než teď by šlo: %3.</translation>
    </message>
    <message>
        <source>every message</source>
        <translation>každá zpráva</translation>
    </message>
</context>
<context>
    <name>RulesSection</name>
    <message>
        <source>Rules</source>
        <translation>Pravidla</translation>
    </message>
    <message>
        <source>Search rules</source>
        <translation>Hledat v&#xa0;pravidlech</translation>
    </message>
    <message>
        <source>The first matching rule applies. Rules never send anything, and what they do can be undone.</source>
        <translation>Platí první pravidlo, které odpovídá. Pravidla nikdy nic neodesílají a&#xa0;to, co udělají, lze vrátit.</translation>
    </message>
    <message>
        <source>Add a rule</source>
        <translation>Přidat pravidlo</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Upravit</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Posunout nahoru</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Posunout dolů</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Smazat</translation>
    </message>
    <message>
        <source>The rule “%1” was deleted.</source>
        <translation>Pravidlo „%1“ bylo smazáno.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vrátit zpět</translation>
    </message>
    <message>
        <source>The rule “%1” is saved.</source>
        <translation>Pravidlo „%1“ je uloženo.</translation>
    </message>
    <message>
        <source>No rules yet. Every email is sorted, and a reply is drafted if it needs one.</source>
        <translation>Žádná pravidla: každý e-mail se roztřídí a&#xa0;kde je potřeba, připraví se odpověď.</translation>
    </message>
    <message>
        <source>Keys: Enter edits, Alt+Up and Alt+Down move, Delete deletes. New rules go to the top.</source>
        <translation>Klávesy: Enter upraví, Alt+nahoru a&#xa0;Alt+dolů posune, Delete smaže. Nové pravidlo se přidá na začátek.</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) changed by the rule “%1”</source>
        <translation>
            <numerusform>%n zpráva změněna pravidlem „%1“</numerusform>
            <numerusform>%n zprávy změněny pravidlem „%1“</numerusform>
            <numerusform>%n zpráv změněno pravidlem „%1“</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunDetail</name>
    <message>
        <source>Run</source>
        <translation>Běh</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>Zpět na běhy</translation>
    </message>
    <message>
        <source>No run chosen</source>
        <translation>Žádný běh není vybrán</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>you asked for this draft</source>
        <translation>o&#xa0;tento koncept jste požádali</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n krok</numerusform>
            <numerusform>%n kroky</numerusform>
            <numerusform>%n kroků</numerusform>
        </translation>
    </message>
    <message>
        <source>Steps appear here as they are done.</source>
        <translation>Kroky se tu objevují, jak jsou hotovy.</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Zatím není nic hotovo</translation>
    </message>
    <message>
        <source>No steps recorded</source>
        <translation>Žádné kroky nebyly zaznamenány</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Technické podrobnosti</translation>
    </message>
    <message>
        <source>Choose one to see what was done and why.</source>
        <translation>Vyberte položku a&#xa0;uvidíte, co se dělo a&#xa0;proč.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopírovat</translation>
    </message>
    <message>
        <source>Open message</source>
        <translation>Otevřít zprávu</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Uložit…</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>Slovy</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Zkopírováno.</translation>
    </message>
</context>
<context>
    <name>SampleStrip</name>
    <message>
        <source>Sample mailbox. Nothing is sent.</source>
        <translation>Ukázková schránka. Nic se neodesílá.</translation>
    </message>
    <message>
        <source>Connect my Gmail</source>
        <translation>Připojit můj Gmail</translation>
    </message>
</context>
<context>
    <name>ScopeChips</name>
    <message>
        <source>Limit to…</source>
        <translation>Omezit na…</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>Změnit: %1</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Otevřít: %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Odebrat: %1</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Posledních 7 dní</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Posledních 30 dní</translation>
    </message>
    <message>
        <source>Last 12 months</source>
        <translation>Posledních 12 měsíců</translation>
    </message>
    <message>
        <source>Since a date…</source>
        <translation>Od data…</translation>
    </message>
</context>
<context>
    <name>SearchNotes</name>
    <message>
        <source>“%1” isn&apos;t a search operator. The rest was searched. Use quotes to search for it as text.</source>
        <translation>„%1“ není operátor hledání. Hledalo se podle zbytku. Jako text to najdete v&#xa0;uvozovkách.</translation>
    </message>
    <message>
        <source>“%1” wasn&apos;t understood and was left out.</source>
        <translation>„%1“ není srozumitelné a vynechalo se.</translation>
    </message>
    <message>
        <source>The search is too long. Only its beginning was used.</source>
        <translation>Hledání je příliš dlouhé; použil se jeho začátek.</translation>
    </message>
    <message>
        <source>The search has too many parentheses.</source>
        <translation>Hledání má příliš mnoho závorek.</translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <source>Search</source>
        <translation>Hledání</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Výsledky</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Hledá se…</translation>
    </message>
    <message>
        <source>Search failed</source>
        <translation>Hledání selhalo</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nic se nenašlo</translation>
    </message>
    <message>
        <source>Ask the assistant</source>
        <translation>Zadat asistentovi</translation>
    </message>
    <message>
        <source>Searches all mail on this computer, even offline.</source>
        <translation>Prohledá se veškerá pošta v&#xa0;tomto počítači, i&#xa0;bez připojení.</translation>
    </message>
    <message>
        <source>Search your mail</source>
        <translation>Hledejte ve své poště</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>Vybrána %n</numerusform>
            <numerusform>Vybrány %n</numerusform>
            <numerusform>Vybráno %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Try fewer words, or narrow with from: or has:attachment.</source>
        <translation>Zkuste méně slov nebo operátor, třeba from: nebo has:attachment.</translation>
    </message>
    <message>
        <source>Save this search</source>
        <translation>Uložit toto hledání</translation>
    </message>
    <message>
        <source>Search saved in the sidebar.</source>
        <translation>Hledání je uložené v&#xa0;navigaci.</translation>
    </message>
    <message>
        <source>Saved search removed.</source>
        <translation>Uložené hledání bylo odebráno.</translation>
    </message>
    <message>
        <source>Remove this search from the sidebar</source>
        <translation>Odebrat toto hledání z&#xa0;navigace</translation>
    </message>
    <message>
        <source>best first</source>
        <translation>nejlepší nahoře</translation>
    </message>
    <message>
        <source>newest first</source>
        <translation>nejnovější nahoře</translation>
    </message>
    <message>
        <source>Top result</source>
        <translation>Nejlepší výsledek</translation>
    </message>
</context>
<context>
    <name>SendLaterBar</name>
    <message>
        <source>Send at</source>
        <translation>Kdy odeslat</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Naplánovat</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
</context>
<context>
    <name>SenderCard</name>
    <message>
        <source>Recent conversations</source>
        <translation>Poslední konverzace</translation>
    </message>
    <message>
        <source>Make the window wider to see the sender card.</source>
        <translation>Kartu odesílatele uvidíte v&#xa0;širším okně.</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
</context>
<context>
    <name>SenderRules</name>
    <message>
        <source>Archive %1</source>
        <translation>Archivovat: %1</translation>
    </message>
    <message>
        <source>Label %1</source>
        <translation>Označit štítkem: %1</translation>
    </message>
    <message>
        <source>This is your own address.</source>
        <translation>To je vaše vlastní adresa.</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Blokovat: %1</translation>
    </message>
    <message>
        <source>%1 is blocked. Their email goes to spam.</source>
        <translation>Blokováno: %1. Další e-maily půjdou do spamu.</translation>
    </message>
    <message>
        <source>You archived the last five messages from %1. Archive them automatically?</source>
        <translation>Posledních pět zpráv jste archivovali (od: %1). Archivovat je automaticky?</translation>
    </message>
    <message>
        <source>Archive automatically</source>
        <translation>Archivovat automaticky</translation>
    </message>
    <message>
        <source>No thanks</source>
        <translation>Ne, děkuji</translation>
    </message>
    <message>
        <source>New email from %1 will be archived.</source>
        <translation>Nové e-maily se budou archivovat (od: %1).</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vrátit zpět</translation>
    </message>
</context>
<context>
    <name>SendingSection</name>
    <message>
        <source>Sending</source>
        <translation>Odesílání</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresa</translation>
    </message>
    <message>
        <source>Your Gmail signature and vacation responder.</source>
        <translation>Podpis a&#xa0;automatická odpověď jsou z&#xa0;vašeho Gmailu.</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>Podpis</translation>
    </message>
    <message>
        <source>Added to what you write yourself.</source>
        <translation>Připojuje se k&#xa0;tomu, co napíšete sami.</translation>
    </message>
    <message>
        <source>Vacation responder</source>
        <translation>Automatická odpověď</translation>
    </message>
    <message>
        <source>Gmail replies automatically to new mail.</source>
        <translation>Gmail za vás odpovídá na novou poštu.</translation>
    </message>
    <message>
        <source>Reading from Gmail…</source>
        <translation>Načítám z&#xa0;Gmailu…</translation>
    </message>
    <message>
        <source>Saved to Gmail.</source>
        <translation>Uloženo do Gmailu.</translation>
    </message>
    <message>
        <source>The last day must not be before the first day or in the past.</source>
        <translation>Poslední den nesmí být před prvním ani v&#xa0;minulosti.</translation>
    </message>
    <message>
        <source>Write a subject or a message.</source>
        <translation>Napište předmět nebo zprávu.</translation>
    </message>
    <message>
        <source>Saving… If Google&apos;s page opens in your browser, allow access there.</source>
        <translation>Ukládám… Pokud se v&#xa0;prohlížeči otevře stránka Googlu, povolte tam přístup.</translation>
    </message>
    <message>
        <source>Gmail can&apos;t be reached now. Try again when you are online.</source>
        <translation>Gmail teď není dostupný. Zkuste to, až budete online.</translation>
    </message>
</context>
<context>
    <name>SentData</name>
    <message>
        <source>Show each request…</source>
        <translation>Zobrazit každý požadavek…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportovat…</translation>
    </message>
    <message>
        <source>Nothing in the last 30 days.</source>
        <translation>Za posledních 30 dní nic.</translation>
    </message>
    <message numerus="yes">
        <source>%n requests</source>
        <translation>
            <numerusform>%n požadavek</numerusform>
            <numerusform>%n požadavky</numerusform>
            <numerusform>%n požadavků</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 sent</source>
        <translation>odesláno %1</translation>
    </message>
    <message numerus="yes">
        <source>words of %n people</source>
        <translation>
            <numerusform>slova %n člověka</numerusform>
            <numerusform>slova %n lidí</numerusform>
            <numerusform>slova %n lidí</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SentDialog</name>
    <message>
        <source>What left this computer</source>
        <translation>Co opustilo tento počítač</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Kdy</translation>
    </message>
    <message>
        <source>What for</source>
        <translation>K&#xa0;čemu</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Kam</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Velikost</translation>
    </message>
    <message>
        <source>Whose words</source>
        <translation>Čí slova</translation>
    </message>
    <message>
        <source>Requests to language models in the last 30 days. Codes, card and account numbers were masked.</source>
        <translation>Požadavky jazykovým modelům za posledních 30 dní. Kódy, čísla karet a&#xa0;účtů byly zakryty.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
    <message>
        <source>Your request</source>
        <translation>Váš požadavek</translation>
    </message>
    <message numerus="yes">
        <source>(%n message(s))</source>
        <translation>
            <numerusform>(%n zpráva)</numerusform>
            <numerusform>(%n zprávy)</numerusform>
            <numerusform>(%n zpráv)</numerusform>
        </translation>
    </message>
    <message>
        <source>Sorting</source>
        <translation>Třídění</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Koncept</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Učení</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>Plánování</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Zkouška</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Požadavek</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>Allow this tool</source>
        <translation>Souhlasit s&#xa0;tímto nástrojem</translation>
    </message>
    <message>
        <source>Allow and start</source>
        <translation>Povolit a&#xa0;spustit</translation>
    </message>
    <message>
        <source>Revoke permission</source>
        <translation>Vzít souhlas zpět</translation>
    </message>
    <message>
        <source>Last problem: %1</source>
        <translation>Poslední potíž: %1</translation>
    </message>
    <message>
        <source>This would run on your computer with your permissions. It gets none of Replyroom&apos;s keys.</source>
        <translation>Spustilo by se to na vašem počítači s&#xa0;vašimi právy. Klíče Replyroomu to nedostane.</translation>
    </message>
    <message>
        <source>The agent&apos;s calls to its tools would go to this address.</source>
        <translation>Volání nástrojů by agent posílal na tuto adresu.</translation>
    </message>
    <message>
        <source>Variables it is given: %1</source>
        <translation>Dostane tyto proměnné: %1</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Nástroj</translation>
    </message>
    <message>
        <source>Its description</source>
        <translation>Co o&#xa0;sobě říká</translation>
    </message>
    <message>
        <source>Server tools</source>
        <translation>Nástroje serveru</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Odebrat</translation>
    </message>
    <message>
        <source>It runs once you have allowed it and the profile is saved and turned on.</source>
        <translation>Poběží, až bude profil uložený a&#xa0;zapnutý a&#xa0;vy to povolíte.</translation>
    </message>
</context>
<context>
    <name>ServiceRow</name>
    <message>
        <source>Connect…</source>
        <translation>Připojit…</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Odpojit</translation>
    </message>
    <message>
        <source>If Google&apos;s page opens in your browser, allow access there.</source>
        <translation>Pokud se v&#xa0;prohlížeči otevře stránka Googlu, povolte přístup tam.</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Připojeno</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Připojuji…</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nepřipojeno</translation>
    </message>
    <message>
        <source>Waits until you sign in again</source>
        <translation>Čeká, než se znovu přihlásíte</translation>
    </message>
</context>
<context>
    <name>ServicesSection</name>
    <message>
        <source>Calendar and contacts</source>
        <translation>Kalendář a&#xa0;kontakty</translation>
    </message>
    <message>
        <source>Google Calendar</source>
        <translation>Kalendář Google</translation>
    </message>
    <message>
        <source>Drafts propose times when you&apos;re free, and you can approve meetings. The names of your events never go to a language model.</source>
        <translation>Koncepty navrhují termíny, kdy máte volno, a&#xa0;můžete schvalovat schůzky. Názvy vašich událostí nikdy nejdou k&#xa0;jazykovému modelu.</translation>
    </message>
    <message>
        <source>Google Contacts</source>
        <translation>Kontakty Google</translation>
    </message>
    <message>
        <source>Names, organizations and notes from your contacts are added to the cards made from your mail. Contacts are never changed.</source>
        <translation>Jména, organizace a&#xa0;poznámky vašich kontaktů se spojí s&#xa0;kartami z&#xa0;vaší pošty. Jen se čtou.</translation>
    </message>
    <message>
        <source>There is no time zone “%1”.</source>
        <translation>Časové pásmo %1 neexistuje.</translation>
    </message>
    <message>
        <source>The day must end after it starts.</source>
        <translation>Den musí skončit později, než začal.</translation>
    </message>
    <message>
        <source>End time must be after start time.</source>
        <translation>Den musí začít dřív, než skončí.</translation>
    </message>
</context>
<context>
    <name>SettingTexts</name>
    <message>
        <source>Accounts</source>
        <translation>Účty</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Drafting</source>
        <translation>Koncepty</translation>
    </message>
    <message>
        <source>Automation</source>
        <translation>Automatizace</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Odesílání</translation>
    </message>
    <message>
        <source>Calendar and contacts</source>
        <translation>Kalendář a&#xa0;kontakty</translation>
    </message>
    <message>
        <source>Web</source>
        <translation>Web</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Pravidla</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>Profily</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Soukromí</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Oznámení</translation>
    </message>
    <message>
        <source>About</source>
        <translation>O&#xa0;programu</translation>
    </message>
    <message>
        <source>What the assistant may do without asking you first. Nothing is ever sent without your approval.</source>
        <translation>Co smí asistent udělat bez předchozího dotazu. Bez vašeho schválení se nikdy nic neodešle.</translation>
    </message>
    <message>
        <source>When Replyroom is in the background: new mail, drafts, sending and sign-in problems.</source>
        <translation>Když je Replyroom na pozadí: nová pošta, koncepty, potíže s&#xa0;odesláním a&#xa0;s&#xa0;přihlášením.</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>nastavení</translation>
    </message>
    <message>
        <source>auto-reply, autoreply, away message, holiday, footer</source>
        <translation>automatická odpověď, dovolená, nepřítomnost, zápatí</translation>
    </message>
    <message>
        <source>log in, log out, sign out, add mailbox, delete account</source>
        <translation>přihlásit, odhlásit, přidat schránku, smazat účet</translation>
    </message>
    <message>
        <source>backup, restore, export</source>
        <translation>záloha, obnovit, přenést</translation>
    </message>
    <message>
        <source>undo send delay, unsend, recall, cancel sending, wait before sending</source>
        <translation>vzít zpět odeslání, zrušit odeslání, prodleva před odesláním, odvolat</translation>
    </message>
    <message>
        <source>bigger text, larger, smaller, font size, zoom, scale</source>
        <translation>větší písmo, menší písmo, velikost písma, lupa, zvětšit, zmenšit</translation>
    </message>
    <message>
        <source>dark mode, night mode, light mode, black, colors</source>
        <translation>tmavý režim, noční režim, světlý režim, barvy</translation>
    </message>
    <message>
        <source>translation, locale</source>
        <translation>čeština, angličtina, překlad</translation>
    </message>
    <message>
        <source>sound, alert, beep, pop-up, banner, new mail arrives, disturb</source>
        <translation>zvuk, upozornění, pípnutí, přijde nová pošta, zpráva, rušit</translation>
    </message>
    <message>
        <source>new message, incoming mail, which mail alerts</source>
        <translation>nová zpráva, příchozí pošta, upozornění na poštu</translation>
    </message>
    <message>
        <source>quiet hours, do not disturb, silence, mute at night, sleep</source>
        <translation>tichý režim, nerušit, ticho, v&#xa0;noci</translation>
    </message>
    <message>
        <source>run in background, minimize, close to tray, icon</source>
        <translation>na pozadí, minimalizovat, ikona, lišta</translation>
    </message>
    <message>
        <source>unread, seen</source>
        <translation>nepřečtené, zobrazené</translation>
    </message>
    <message>
        <source>auto-advance, next message, delete</source>
        <translation>další zpráva, smazat, přejít</translation>
    </message>
    <message>
        <source>compact view, row height, spacing, one line</source>
        <translation>kompaktní, výška řádků, mezery</translation>
    </message>
    <message>
        <source>download old mail, history, how many days</source>
        <translation>stáhnout starou poštu, historie, kolik dní</translation>
    </message>
    <message>
        <source>big emails, disk space, storage</source>
        <translation>velké zprávy, místo na disku, úložiště</translation>
    </message>
    <message>
        <source>AI, ChatGPT, GPT, Claude, LLM</source>
        <translation>AI, umělá inteligence, ChatGPT, GPT, Claude, LLM</translation>
    </message>
    <message>
        <source>cost, money, budget, price</source>
        <translation>cena, peníze, rozpočet, útrata</translation>
    </message>
    <message>
        <source>stop AI, turn off assistant, disable drafts</source>
        <translation>zastavit AI, vypnout asistenta, vypnout koncepty</translation>
    </message>
    <message>
        <source>tone, style, voice, persona</source>
        <translation>tón, styl, jak píšu</translation>
    </message>
    <message>
        <source>tone, style, instructions, prompt</source>
        <translation>tón, styl, pokyny, prompt</translation>
    </message>
    <message>
        <source>working hours, office hours, business hours</source>
        <translation>pracovní doba, otevírací doba</translation>
    </message>
    <message>
        <source>weekend, days off, working week</source>
        <translation>víkend, volno, pracovní týden</translation>
    </message>
    <message>
        <source>private, confidential, local only, not to AI</source>
        <translation>soukromé, důvěrné, jen místně, ne do AI</translation>
    </message>
    <message>
        <source>automatic, auto send, autopilot</source>
        <translation>automaticky, samo, autopilot</translation>
    </message>
    <message numerus="yes">
        <source>day(s)</source>
        <translation>
            <numerusform>den</numerusform>
            <numerusform>dny</numerusform>
            <numerusform>dní</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>call(s)</source>
        <translation>
            <numerusform>volání</numerusform>
            <numerusform>volání</numerusform>
            <numerusform>volání</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>draft(s)</source>
        <translation>
            <numerusform>koncept</numerusform>
            <numerusform>koncepty</numerusform>
            <numerusform>konceptů</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>second(s)</source>
        <translation>
            <numerusform>sekunda</numerusform>
            <numerusform>sekundy</numerusform>
            <numerusform>sekund</numerusform>
        </translation>
    </message>
    <message>
        <source>How far back</source>
        <translation>Jak daleko do minulosti</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Newsletters, Archive/2009</source>
        <translation>Newslettery, Archiv/2009</translation>
    </message>
    <message>
        <source>Older mail</source>
        <translation>Starší pošta</translation>
    </message>
    <message>
        <source>No language model</source>
        <translation>Bez jazykového modelu</translation>
    </message>
    <message>
        <source>Leave empty to use the model for drafts. Enter “none” to sort mail on this computer.</source>
        <translation>Prázdné: použije se model pro koncepty. „none“: pošta se třídí v&#xa0;tomto počítači.</translation>
    </message>
    <message>
        <source>Leave empty to use the model for drafts. Enter “none” to draft replies without it.</source>
        <translation>Prázdné: použije se model pro koncepty. „none“: odpovědi se navrhují bez něj.</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Časový limit</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pozastavení</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>O&#xa0;vás</translation>
    </message>
    <message>
        <source>Who you are and how you write. Goes to the language model with each draft, if you use one.</source>
        <translation>Kdo jste a&#xa0;jak píšete. Pokud používáte jazykový model, dostane to s&#xa0;každým konceptem.</translation>
    </message>
    <message>
        <source>I run a small bicycle workshop with my sister. We are open Tuesday to Saturday…</source>
        <translation>Se sestrou vedeme malou cyklodílnu. Otevřeno máme od úterý do soboty…</translation>
    </message>
    <message>
        <source>Draft a reply with free times</source>
        <translation>Připravit odpověď s&#xa0;volnými termíny</translation>
    </message>
    <message>
        <source>Response agent proposes a meeting</source>
        <translation>Agent pro odpovědi navrhne schůzku</translation>
    </message>
    <message>
        <source>Day starts</source>
        <translation>Začátek dne</translation>
    </message>
    <message>
        <source>Drafts propose meetings only inside these hours.</source>
        <translation>Koncepty navrhují schůzky jen v&#xa0;této době.</translation>
    </message>
    <message>
        <source>Day ends</source>
        <translation>Konec dne</translation>
    </message>
    <message>
        <source>Working days</source>
        <translation>Pracovní dny</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>Časové pásmo</translation>
    </message>
    <message>
        <source>This computer&apos;s (%1)</source>
        <translation>Podle počítače (%1)</translation>
    </message>
    <message>
        <source>Search server</source>
        <translation>Vyhledávací server</translation>
    </message>
    <message>
        <source>Sites</source>
        <translation>Weby</translation>
    </message>
    <message>
        <source>One site per line. Profiles that may read web pages can read these sites.</source>
        <translation>Na každém řádku jeden web. Profily, které smějí číst webové stránky, mohou číst tyto weby.</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>Hustota</translation>
    </message>
    <message>
        <source>Compact rows have two lines, so that more conversations fit on the screen.</source>
        <translation>Kompaktní řádky mají dva řádky textu, takže se na obrazovku vejde více konverzací.</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>Pohodlná</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Kompaktní</translation>
    </message>
    <message>
        <source>On the desktop</source>
        <translation>Na ploše</translation>
    </message>
    <message>
        <source>Show notifications</source>
        <translation>Zobrazovat oznámení</translation>
    </message>
    <message>
        <source>Subject and text of mail are never shown.</source>
        <translation>Předmět ani text pošty se nikdy nezobrazí.</translation>
    </message>
    <message>
        <source>New mail</source>
        <translation>Nová pošta</translation>
    </message>
    <message>
        <source>Mail that needs a reply</source>
        <translation>Pošta, která čeká na odpověď</translation>
    </message>
    <message>
        <source>All mail in the inbox</source>
        <translation>Všechna doručená pošta</translation>
    </message>
    <message>
        <source>Quiet from</source>
        <translation>Ticho od</translation>
    </message>
    <message>
        <source>Quiet until</source>
        <translation>Ticho do</translation>
    </message>
    <message>
        <source>Days off</source>
        <translation>Volné dny</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>Po zavření okna</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Motiv</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Světlý</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Tmavý</translation>
    </message>
    <message>
        <source>Light, high contrast</source>
        <translation>Světlý, vysoký kontrast</translation>
    </message>
    <message>
        <source>Dark, high contrast</source>
        <translation>Tmavý, vysoký kontrast</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Jazyk</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Velikost písma</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Čtení</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>Označit jako přečtené</translation>
    </message>
    <message>
        <source>When an open conversation is marked as read. Answering always marks it.</source>
        <translation>Kdy se otevřená konverzace označí jako přečtená. Odpovězená se označí vždy.</translation>
    </message>
    <message>
        <source>Right away</source>
        <translation>Hned</translation>
    </message>
    <message>
        <source>After 2 seconds</source>
        <translation>Po 2 sekundách</translation>
    </message>
    <message>
        <source>After 5 seconds</source>
        <translation>Po 5 sekundách</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nikdy</translation>
    </message>
    <message>
        <source>After archiving</source>
        <translation>Po archivaci</translation>
    </message>
    <message>
        <source>What opens when a conversation leaves the list: archived, deleted, moved or snoozed.</source>
        <translation>Co se otevře, když konverzace zmizí ze seznamu: po archivaci, smazání, přesunu nebo odložení.</translation>
    </message>
    <message>
        <source>Next older conversation</source>
        <translation>Další starší konverzace</translation>
    </message>
    <message>
        <source>Next newer conversation</source>
        <translation>Další novější konverzace</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>Zpět na seznam</translation>
    </message>
    <message>
        <source>Agents can only reach the sites listed here. Requests containing your mail are blocked.</source>
        <translation>Agenti se dostanou jen na weby uvedené zde. Požadavky s&#xa0;obsahem vaší pošty se blokují.</translation>
    </message>
    <message>
        <source>Older mail stays on Google. 0 = everything.</source>
        <translation>Starší pošta zůstane jen u&#xa0;Googlu. 0: stáhne se všechna.</translation>
    </message>
    <message>
        <source>Skip emails larger than</source>
        <translation>Největší e-mail</translation>
    </message>
    <message>
        <source>They download when you open them. 0 = no limit.</source>
        <translation>Větší e-maily se předem nestahují. 0: jakákoli velikost.</translation>
    </message>
    <message>
        <source>Skip these labels</source>
        <translation>Bez štítků</translation>
    </message>
    <message>
        <source>Separate label names with commas. Their mail downloads when you open it.</source>
        <translation>Pošta s&#xa0;těmito štítky se předem nestahuje; mezi názvy pište čárky.</translation>
    </message>
    <message>
        <source>New mail still arrives.</source>
        <translation>Nová pošta chodí dál.</translation>
    </message>
    <message>
        <source>Pause downloading older mail</source>
        <translation>Teď nestahovat</translation>
    </message>
    <message>
        <source>Start the URL with http:// or https://.</source>
        <translation>Napište adresu s&#xa0;http:// nebo https:// na začátku.</translation>
    </message>
    <message>
        <source>Daily call limit</source>
        <translation>Nejvyšší počet volání za den</translation>
    </message>
    <message>
        <source>Drafting pauses until midnight when reached. 0 = no limit.</source>
        <translation>Po jeho dosažení psaní konceptů počká do půlnoci nebo na vyšší limit. 0: bez omezení.</translation>
    </message>
    <message>
        <source>Daily spending limit</source>
        <translation>Nejvyšší cena za den</translation>
    </message>
    <message>
        <source>Only for models with known prices. 0 = no limit.</source>
        <translation>Počítá se tam, kde je cena modelu známa. 0: bez omezení.</translation>
    </message>
    <message>
        <source>Monthly call limit</source>
        <translation>Nejvyšší počet volání za měsíc</translation>
    </message>
    <message>
        <source>Drafting pauses until next month when reached. 0 = no limit.</source>
        <translation>Po jeho dosažení psaní konceptů počká do dalšího měsíce nebo na vyšší limit. 0: bez omezení.</translation>
    </message>
    <message>
        <source>Monthly spending limit</source>
        <translation>Nejvyšší cena za měsíc</translation>
    </message>
    <message>
        <source>Give up on a request after this time.</source>
        <translation>Delší volání se ukončí.</translation>
    </message>
    <message>
        <source>Stops checking new mail after current work finishes.</source>
        <translation>Na novou poštu se asistent nedívá; rozdělanou práci dokončí.</translation>
    </message>
    <message>
        <source>Pause assistant</source>
        <translation>Pozastavit asistenta</translation>
    </message>
    <message>
        <source>Unread inbox mail of the last few days. 0 = everything.</source>
        <translation>Nepřečtené e-maily v&#xa0;doručené poště za poslední dny. 0: všechny.</translation>
    </message>
    <message>
        <source>Higher is faster but uses more CPU.</source>
        <translation>Víc je rychlejší a&#xa0;víc zatíží počítač.</translation>
    </message>
    <message>
        <source>Meeting requests</source>
        <translation>Žádosti o&#xa0;schůzku</translation>
    </message>
    <message>
        <source>Auto-save to Gmail drafts</source>
        <translation>Uložit jako koncept v&#xa0;Gmailu bez dotazu</translation>
    </message>
    <message>
        <source>For these types, if confidence is at least 80%, you know the sender, the reply goes only to the sender, and there are no warnings or blanks. Drafts are saved, never sent. Everything else waits in Review.</source>
        <translation>Koncepty těchto druhů se samy uloží jako koncepty v&#xa0;Gmailu; neodešlou se. Jen když si je asistent jistý alespoň na 80 %, odesílateli jste už psali, odpověď jde jen jemu, nic nezbývá doplnit a&#xa0;nenašlo se žádné varování. Vše ostatní čeká ve Schvalování.</translation>
    </message>
    <message>
        <source>Daily limit</source>
        <translation>Nejvýše za den</translation>
    </message>
    <message>
        <source>After that, drafts wait in Review.</source>
        <translation>Když se jich za den tolik uložilo bez dotazu, zbytek čeká ve Schvalování.</translation>
    </message>
    <message>
        <source>Undo send</source>
        <translation>Vrácení odeslání</translation>
    </message>
    <message>
        <source>How long you can undo after approving. 0 = send right away.</source>
        <translation>Schválený e-mail takto dlouho čeká; do té doby ho lze vzít zpět. 0: odejde hned.</translation>
    </message>
    <message>
        <source>Leave empty to use this computer&apos;s. For example, Europe/Prague.</source>
        <translation>Prázdné: podle počítače. Jinak třeba Europe/Prague.</translation>
    </message>
    <message>
        <source>URL of a SearXNG server with JSON output enabled. Leave empty to turn off web search.</source>
        <translation>Adresa serveru SearXNG se zapnutým výstupem JSON. Prázdné: nevyhledává se.</translation>
    </message>
    <message>
        <source>Enter the full URL, for example https://search.example.org.</source>
        <translation>Napište celou adresu, například https://search.example.org.</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a site name. For example, example.org.</source>
        <translation>„%1“ není název webu. Napište ho jako example.org.</translation>
    </message>
    <message>
        <source>The notification names the sender. Sign-in codes are announced, too.</source>
        <translation>Oznámení uvádí odesílatele. Přihlašovací kódy se ohlásí také.</translation>
    </message>
    <message>
        <source>Set both to the same time to turn quiet hours off.</source>
        <translation>Stejný čas v&#xa0;obou polích tiché hodiny vypne.</translation>
    </message>
    <message>
        <source>Days that aren&apos;t working days in your calendar settings.</source>
        <translation>Dny, které v&#xa0;kalendáři nejsou pracovní.</translation>
    </message>
    <message>
        <source>Mute on non-working days</source>
        <translation>Ticho ve volné dny</translation>
    </message>
    <message>
        <source>Mail keeps syncing and sending. Without a tray, Replyroom quits.</source>
        <translation>Pošta pak dál přichází a&#xa0;schválená odchází. Jinak, a&#xa0;kde oznamovací oblast není, Replyroom skončí.</translation>
    </message>
    <message>
        <source>Keep running in the tray</source>
        <translation>Běžet dál v&#xa0;oznamovací oblasti</translation>
    </message>
    <message>
        <source>Follows your system&apos;s high-contrast setting.</source>
        <translation>Vysoký kontrast se použije i&#xa0;sám, když si ho vyžádá systém.</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>Podle systému</translation>
    </message>
    <message>
        <source>Server URL</source>
        <translation>Adresa</translation>
    </message>
    <message>
        <source>Process in parallel</source>
        <translation>E-mailů najednou</translation>
    </message>
    <message>
        <source>Model for sorting</source>
        <translation>Model pro třídění</translation>
    </message>
    <message>
        <source>provider/model</source>
        <translation>poskytovatel/model</translation>
    </message>
    <message>
        <source>Model for the response agent</source>
        <translation>Model pro agenta pro odpovědi</translation>
    </message>
    <message>
        <source>Model ID</source>
        <translation>ID modelu</translation>
    </message>
    <message>
        <source>As provider/model in LiteLLM&apos;s format, for providers not shown above.</source>
        <translation>Jako poskytovatel/model v&#xa0;podobě pro LiteLLM, pro poskytovatele bez karty výše.</translation>
    </message>
    <message>
        <source>A model ID has no spaces.</source>
        <translation>V&#xa0;ID modelu nejsou mezery.</translation>
    </message>
    <message>
        <source>Leave empty to use the provider&apos;s address.</source>
        <translation>Prázdné: adresa poskytovatele.</translation>
    </message>
    <message>
        <source>Search inside files up to</source>
        <translation>Hledat uvnitř souborů do</translation>
    </message>
    <message>
        <source>PDF and office files are read on this computer. 0 = do not search inside files.</source>
        <translation>Soubory PDF a&#xa0;kancelářské soubory se čtou v&#xa0;tomto počítači. 0 = uvnitř souborů nehledat.</translation>
    </message>
    <message>
        <source>Takes effect after a restart.</source>
        <translation>Projeví se po novém spuštění.</translation>
    </message>
    <message>
        <source>Keep on this computer: people</source>
        <translation>Zůstává v&#xa0;počítači: lidé</translation>
    </message>
    <message>
        <source>Mail from or to these addresses or domains is sorted and drafted here, without a language model.</source>
        <translation>Pošta od těchto adres a&#xa0;domén nebo pro ně se třídí a&#xa0;píše zde, bez jazykového modelu.</translation>
    </message>
    <message>
        <source>ann@example.com, clinic.example</source>
        <translation>ann@example.com, clinic.example</translation>
    </message>
    <message>
        <source>Keep on this computer: labels</source>
        <translation>Zůstává v&#xa0;počítači: štítky</translation>
    </message>
    <message>
        <source>Label names, separated by commas.</source>
        <translation>Názvy štítků oddělené čárkami.</translation>
    </message>
    <message>
        <source>Private, Family/Health</source>
        <translation>Soukromé, Rodina/Zdraví</translation>
    </message>
    <message>
        <source>Keep on this computer: topics</source>
        <translation>Zůstává v&#xa0;počítači: témata</translation>
    </message>
    <message>
        <source>Mail whose words suggest one of these topics. Check it with your own mail.</source>
        <translation>Pošta, která tak vypadá podle slov. Ověřte na své poště.</translation>
    </message>
    <message>
        <source>Look-ups you ask for</source>
        <translation>Vyhledávání na váš dotaz</translation>
    </message>
    <message>
        <source>A one-step plan that only reads runs right away. Otherwise, you see each plan first.</source>
        <translation>Plán s&#xa0;jedním krokem, který jen čte, se spustí hned. Jinak nejdřív uvidíte každý plán.</translation>
    </message>
    <message>
        <source>Run simple look-ups right away</source>
        <translation>Jednoduchá vyhledávání spouštět hned</translation>
    </message>
    <message>
        <source>Who answers mail</source>
        <translation>Kdo odpovídá na poštu</translation>
    </message>
    <message>
        <source>The response agent looks things up and asks before each step. It needs a language model.</source>
        <translation>Agent pro odpovědi vyhledává a&#xa0;před každým krokem se ptá. Potřebuje jazykový model.</translation>
    </message>
    <message>
        <source>Draft a reply</source>
        <translation>Navrhnout odpověď</translation>
    </message>
    <message>
        <source>Response agent proposes a reply</source>
        <translation>Agent pro odpovědi navrhne odpověď</translation>
    </message>
    <message>
        <source>Mail that needs no reply</source>
        <translation>Pošta, která nepotřebuje odpověď</translation>
    </message>
    <message>
        <source>Mark it as read</source>
        <translation>Označovat jako přečtenou</translation>
    </message>
    <message>
        <source>The response agent reads your calendar and asks before each step. Without a calendar or a language model, a reply with free times is drafted.</source>
        <translation>Agent pro odpovědi čte váš kalendář a&#xa0;před každým krokem se ptá. Bez kalendáře nebo jazykového modelu se připraví odpověď s&#xa0;volnými termíny.</translation>
    </message>
    <message>
        <source>Connect another Gmail account, sign in again, remove an account, color</source>
        <translation>Připojit další účet Gmail, znovu se přihlásit, odebrat účet, barva</translation>
    </message>
    <message>
        <source>Provider, key, AI, OpenAI, Anthropic, Gemini, Mistral, OpenRouter, Ollama, LM Studio, llama.cpp</source>
        <translation>Poskytovatel, klíč, AI, OpenAI, Anthropic, Gemini, Mistral, OpenRouter, Ollama, LM Studio, llama.cpp</translation>
    </message>
    <message>
        <source>Signature, vacation responder, out of office</source>
        <translation>Podpis, automatická odpověď, nepřítomnost</translation>
    </message>
    <message>
        <source>Google Calendar, Google Contacts</source>
        <translation>Kalendář Google, Kontakty Google</translation>
    </message>
    <message>
        <source>Rules: label, archive, never draft, forward</source>
        <translation>Pravidla: štítek, archivovat, nenavrhovat, přeposlat</translation>
    </message>
    <message>
        <source>Agents of your own, tool servers</source>
        <translation>Vlastní agenti, servery nástrojů</translation>
    </message>
    <message>
        <source>What leaves this computer, images, dictionary</source>
        <translation>Co odchází z&#xa0;počítače, obrázky, slovník</translation>
    </message>
    <message>
        <source>Keyboard shortcuts, Gmail keys</source>
        <translation>Klávesové zkratky, klávesy Gmailu</translation>
    </message>
    <message>
        <source>Version, data folder, logs, back up, move to another computer</source>
        <translation>Verze, složka s&#xa0;daty, záznamy, zálohování, přesun na jiný počítač</translation>
    </message>
    <message>
        <source>Appearance and keyboard</source>
        <translation>Vzhled a&#xa0;klávesnice</translation>
    </message>
    <message>
        <source>What to answer, show and skip</source>
        <translation>Na co odpovídat, co ukazovat a&#xa0;co přeskakovat</translation>
    </message>
    <message>
        <source>Given to the language model until it has learned what you want.</source>
        <translation>Říká se jazykovému modelu, dokud se od vás nenaučí, co chcete.</translation>
    </message>
    <message>
        <source>How to write replies</source>
        <translation>Jak psát odpovědi</translation>
    </message>
    <message>
        <source>Given to the language model until it has learned from your changes.</source>
        <translation>Říká se jazykovému modelu, dokud se nepoučí z&#xa0;vašich úprav.</translation>
    </message>
    <message>
        <source>How to plan meetings</source>
        <translation>Jak plánovat schůzky</translation>
    </message>
    <message>
        <source>Mail the assistant skips is also marked as read in Gmail.</source>
        <translation>Pošta, kterou asistent přeskočí, se označí jako přečtená i&#xa0;v&#xa0;Gmailu.</translation>
    </message>
    <message>
        <source>Imported archives</source>
        <translation>Importované archivy</translation>
    </message>
    <message>
        <source>The newest %1 emails of each archive are prepared in the background. Turning it off removes them again.</source>
        <translation>Připravuje se na pozadí, z&#xa0;každého nejnovějších %1 e-mailů. Vypnutím se zase odstraní.</translation>
    </message>
    <message>
        <source>Search them by meaning too</source>
        <translation>Hledat v&#xa0;nich i&#xa0;podle významu</translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>USD</source>
        <translation>USD</translation>
    </message>
    <message>
        <source>health</source>
        <translation>zdraví</translation>
    </message>
    <message>
        <source>bank</source>
        <translation>banka</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Nastavení</translation>
    </message>
    <message>
        <source>Sections of the settings</source>
        <translation>Oddíly nastavení</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Přečíst znovu</translation>
    </message>
    <message>
        <source>Nothing can be changed here until you fix it.</source>
        <translation>Dokud nebude opravena, nelze tu nic změnit.</translation>
    </message>
</context>
<context>
    <name>SettingsSearch</name>
    <message>
        <source>Search settings</source>
        <translation>Hledat v&#xa0;nastavení</translation>
    </message>
    <message>
        <source>Settings found</source>
        <translation>Nalezená nastavení</translation>
    </message>
    <message>
        <source>No setting found</source>
        <translation>Nic se nenašlo</translation>
    </message>
</context>
<context>
    <name>Shell</name>
    <message>
        <source>No browser opened for %1</source>
        <translation>Neotevřel se žádný prohlížeč (účet %1)</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Zkopírovat odkaz</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>Není co vracet.</translation>
    </message>
    <message>
        <source>This email address is too long to open.</source>
        <translation>Tato e-mailová adresa je na otevření příliš dlouhá.</translation>
    </message>
    <message>
        <source>Only Gmail accounts sync.</source>
        <translation>Synchronizují se jen účty Gmail.</translation>
    </message>
    <message>
        <source>You have one inbox. Another account adds its own.</source>
        <translation>Máte jednu doručenou poštu. Další účet přidá svou.</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Klávesové zkratky</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Předvolba</translation>
    </message>
    <message>
        <source>Replyroom</source>
        <translation>Replyroom</translation>
    </message>
    <message>
        <source>Gmail</source>
        <translation>Gmail</translation>
    </message>
    <message>
        <source>Desktop programs</source>
        <translation>Programy v&#xa0;počítači</translation>
    </message>
    <message>
        <source>also %1</source>
        <translation>také %1</translation>
    </message>
    <message>
        <source>the same as: %1</source>
        <translation>stejné jako: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n conflict(s): change one of each pair.</source>
        <translation>
            <numerusform>%n střet: změňte jednu z&#xa0;dvojice.</numerusform>
            <numerusform>%n střety: v&#xa0;každé dvojici změňte jednu.</numerusform>
            <numerusform>%n střetů: v&#xa0;každé dvojici změňte jednu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Preset: %1</source>
        <translation>Předvolba: %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Back to the preset: %1</source>
        <translation>Vrátit podle předvolby: %1</translation>
    </message>
    <message>
        <source>Reset shortcuts</source>
        <translation>Obnovit zkratky</translation>
    </message>
    <message>
        <source>Changes apply right away. Press ? to see all shortcuts.</source>
        <translation>Změny platí hned. Všechny zkratky zobrazí klávesa ?.</translation>
    </message>
    <message>
        <source>Shortcuts reset</source>
        <translation>Vaše změny jsou zapomenuty.</translation>
    </message>
</context>
<context>
    <name>SignInBanner</name>
    <message>
        <source>Copy link</source>
        <translation>Zkopírovat odkaz</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>%1 is signed out. No mail is sent or received until you sign in again.</source>
        <translation>Účet %1 je odhlášen. Dokud se znovu nepřihlásíte, pošta se neodesílá ani nepřijímá.</translation>
    </message>
    <message>
        <source>Finish signing in in your browser.</source>
        <translation>Dokončete přihlášení v&#xa0;prohlížeči.</translation>
    </message>
    <message>
        <source>No browser opened. Copy the link and open it in a browser on this computer.</source>
        <translation>Neotevřel se žádný prohlížeč. Zkopírujte odkaz a&#xa0;otevřete ho v&#xa0;prohlížeči na tomto počítači.</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in with your browser</source>
        <translation>Přihlaste se v&#xa0;prohlížeči</translation>
    </message>
    <message>
        <source>Finish signing in in your browser. Replyroom continues here automatically.</source>
        <translation>Dokončete přihlášení v&#xa0;prohlížeči. Replyroom tu pak pokračuje automaticky.</translation>
    </message>
    <message>
        <source>Sign-in link</source>
        <translation>Odkaz k&#xa0;přihlášení</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Zkopírovat odkaz</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>Otevřít znovu</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Opening your browser…</source>
        <translation>Otevírá se prohlížeč…</translation>
    </message>
    <message>
        <source>Nothing opened? Copy the link and open it in a browser on this computer.</source>
        <translation>Nic se neotevřelo? Zkopírujte odkaz a&#xa0;otevřete ho v&#xa0;prohlížeči na tomto počítači.</translation>
    </message>
    <message>
        <source>No browser opened. Copy the link and open it in a browser on this computer.</source>
        <translation>Neotevřel se žádný prohlížeč. Zkopírujte odkaz a&#xa0;otevřete ho v&#xa0;prohlížeči na tomto počítači.</translation>
    </message>
    <message>
        <source>Link copied. Open it in a browser on this computer.</source>
        <translation>Odkaz je zkopírován. Otevřete ho v&#xa0;prohlížeči na tomto počítači.</translation>
    </message>
    <message>
        <source>The link works for another %1 minutes.</source>
        <translation>Odkaz platí ještě %1 min.</translation>
    </message>
</context>
<context>
    <name>SignatureEditor</name>
    <message>
        <source>Signature</source>
        <translation>Podpis</translation>
    </message>
    <message>
        <source>Save to Gmail</source>
        <translation>Uložit do Gmailu</translation>
    </message>
    <message>
        <source>Bold</source>
        <translation>Tučně</translation>
    </message>
    <message>
        <source>Italic</source>
        <translation>Kurzíva</translation>
    </message>
</context>
<context>
    <name>SimilarResults</name>
    <message>
        <source>Smart search is restarting.</source>
        <translation>Jádro se znovu spouští; potom se pošta porovná podle významu.</translation>
    </message>
    <message>
        <source>Smart search isn&apos;t available.</source>
        <translation>Poštu nelze porovnat podle významu.</translation>
    </message>
    <message>
        <source>Smart search is off while the assistant is paused.</source>
        <translation>Dokud je asistent pozastaven, pošta se podle významu neporovnává.</translation>
    </message>
    <message>
        <source>Imported archives are searched by words only.</source>
        <translation>Archivy pošty se prohledávají jen podle slov.</translation>
    </message>
    <message numerus="yes">
        <source>No mail has all the words. %n similar.</source>
        <translation>
            <numerusform>Všechna slova nemá žádný e‑mail. %n podobný.</numerusform>
            <numerusform>Všechna slova nemá žádný e‑mail. %n podobné.</numerusform>
            <numerusform>Všechna slova nemá žádný e‑mail. %n podobných.</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for related emails…</source>
        <translation>Hledá se pošta podobná významem…</translation>
    </message>
    <message>
        <source>The smart-search index was damaged and is being rebuilt.</source>
        <translation>To, podle čeho se pošta porovnává, bylo poškozeno; vytvoří se znovu z&#xa0;vaší pošty.</translation>
    </message>
    <message>
        <source>No other related emails.</source>
        <translation>Nic dalšího významem podobného není.</translation>
    </message>
    <message numerus="yes">
        <source>%n related email(s) below.</source>
        <translation>
            <numerusform>Níže: %n konverzace podobná významem.</numerusform>
            <numerusform>Níže: %n konverzace podobné významem.</numerusform>
            <numerusform>Níže: %n konverzací podobných významem.</numerusform>
        </translation>
    </message>
    <message>
        <source>Smart search is being set up: %1 of %2 emails.</source>
        <translation>Podle významu je zatím zpracováno %1&#xa0;z&#xa0;%2.</translation>
    </message>
    <message>
        <source>Smart search is still being set up: %1 emails to go.</source>
        <translation>Podle významu zatím není zpracován žádný e-mail; čeká jich %1.</translation>
    </message>
    <message>
        <source>Smart search has no emails yet.</source>
        <translation>Podle významu není zpracován žádný e-mail.</translation>
    </message>
</context>
<context>
    <name>Snooze</name>
    <message>
        <source>In three hours</source>
        <translation>Za tři hodiny</translation>
    </message>
    <message>
        <source>This evening</source>
        <translation>Dnes večer</translation>
    </message>
    <message>
        <source>Tomorrow morning</source>
        <translation>Zítra ráno</translation>
    </message>
    <message>
        <source>This weekend</source>
        <translation>O&#xa0;víkendu</translation>
    </message>
    <message>
        <source>Next week</source>
        <translation>Příští týden</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Odložit</translation>
    </message>
    <message>
        <source>Pick date and time…</source>
        <translation>Jindy…</translation>
    </message>
    <message>
        <source>Next weekend</source>
        <translation>Příští víkend</translation>
    </message>
    <message>
        <source>Remind me if no reply by</source>
        <translation>Připomenout, když nepřijde odpověď do</translation>
    </message>
    <message>
        <source>In three days</source>
        <translation>Za tři dny</translation>
    </message>
    <message>
        <source>No reminder</source>
        <translation>Bez připomínky</translation>
    </message>
</context>
<context>
    <name>SnoozeDialog</name>
    <message>
        <source>Snooze until</source>
        <translation>Odložit do</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Odložit</translation>
    </message>
    <message>
        <source>Remind me</source>
        <translation>Připomenout</translation>
    </message>
</context>
<context>
    <name>SourceView</name>
    <message>
        <source>Original message</source>
        <translation>Zdroj e-mailu</translation>
    </message>
    <message>
        <source>Only the first megabyte is shown.</source>
        <translation>Zobrazen je jen první megabajt.</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Uložit jako…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Zavřít</translation>
    </message>
</context>
<context>
    <name>SpellMarks</name>
    <message>
        <source>No suggestion</source>
        <translation>Žádný návrh</translation>
    </message>
    <message>
        <source>Add “%1” to dictionary</source>
        <translation>„%1“ je správně</translation>
    </message>
    <message>
        <source>“%1” was added to your dictionary.</source>
        <translation>„%1“ je teď ve vašem slovníku.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
</context>
<context>
    <name>SplitDialog</name>
    <message>
        <source>Inbox splits</source>
        <translation>Části doručené pošty</translation>
    </message>
    <message>
        <source>Add a split</source>
        <translation>Přidat část</translation>
    </message>
    <message>
        <source>A split lists part of the inbox: a sender, a label, or any search.</source>
        <translation>Část zobrazuje díl doručené pošty: odesílatele, štítek nebo jakékoli hledání.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Uložit</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Název</translation>
    </message>
    <message>
        <source>Split name</source>
        <translation>Název části</translation>
    </message>
    <message>
        <source>What it lists</source>
        <translation>Co zobrazuje</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Odebrat</translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message>
        <source>in conversation</source>
        <translation>v&#xa0;konverzaci</translation>
    </message>
    <message>
        <source>known</source>
        <translation>známý</translation>
    </message>
    <message>
        <source>new</source>
        <translation>nový</translation>
    </message>
    <message>
        <source>not an address</source>
        <translation>není adresa</translation>
    </message>
    <message>
        <source>first mail to %1 of %2 people</source>
        <translation>první e‑mail pro %1 z&#xa0;%2 lidí</translation>
    </message>
    <message>
        <source>impostor?</source>
        <translation>podobná adresa</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Sync progress</source>
        <translation>Průběh synchronizace</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Připraveno</translation>
    </message>
    <message>
        <source>No language model</source>
        <translation>Bez jazykového modelu</translation>
    </message>
    <message>
        <source>Online</source>
        <translation>Online</translation>
    </message>
    <message>
        <source>Offline since %1</source>
        <translation>Offline od %1</translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>zbývá asi %n minuta</numerusform>
            <numerusform>zbývají asi %n minuty</numerusform>
            <numerusform>zbývá asi %n minut</numerusform>
        </translation>
    </message>
    <message>
        <source>Indexing %1 of %2</source>
        <translation>Indexuje se %1 z&#xa0;%2</translation>
    </message>
    <message>
        <source>Assistant paused</source>
        <translation>Asistent pozastaven</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) today</source>
        <translation>
            <numerusform>dnes %n volání</numerusform>
            <numerusform>dnes %n volání</numerusform>
            <numerusform>dnes %n volání</numerusform>
        </translation>
    </message>
    <message>
        <source>The account is paused</source>
        <translation>Účet je pozastaven</translation>
    </message>
    <message>
        <source>Waiting for your answer in the browser…</source>
        <translation>Čeká se na vaši odpověď v&#xa0;prohlížeči…</translation>
    </message>
    <message>
        <source>Google wants you to sign in</source>
        <translation>Google žádá přihlášení</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokeny</numerusform>
            <numerusform>%n tokenů</numerusform>
        </translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Spouštím jádro…</translation>
    </message>
    <message numerus="yes">
        <source>Reconnecting in %n second(s). Nothing you decided is lost.</source>
        <translation>
            <numerusform>Jádro se zastavilo; znovu se spustí za %n sekundu. Vaše rozhodnutí zůstávají.</numerusform>
            <numerusform>Jádro se zastavilo; znovu se spustí za %n sekundy. Vaše rozhodnutí zůstávají.</numerusform>
            <numerusform>Jádro se zastavilo; znovu se spustí za %n sekund. Vaše rozhodnutí zůstávají.</numerusform>
        </translation>
    </message>
    <message>
        <source>Repairing or deleting data. Replyroom restarts in the background…</source>
        <translation>Opravuji nebo mažu data; jádro se znovu spouští…</translation>
    </message>
    <message>
        <source>Google&apos;s limit reached. Mail resumes shortly.</source>
        <translation>Kvóta Googlu je vyčerpána; čeká se</translation>
    </message>
    <message>
        <source>Older mail: download paused</source>
        <translation>Starší pošta je pozastavena</translation>
    </message>
    <message>
        <source>%1 of %2 emails</source>
        <translation>%1 z&#xa0;%2 e-mailů</translation>
    </message>
    <message numerus="yes">
        <source>Checking %n email(s)</source>
        <translation>
            <numerusform>prochází se %n e-mail</numerusform>
            <numerusform>procházejí se %n e-maily</numerusform>
            <numerusform>prochází se %n e-mailů</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) waiting</source>
        <translation>
            <numerusform>%n e-mail čeká</numerusform>
            <numerusform>%n e-maily čekají</numerusform>
            <numerusform>%n e-mailů čeká</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sending</source>
        <translation>
            <numerusform>k&#xa0;odeslání: %n</numerusform>
            <numerusform>k&#xa0;odeslání: %n</numerusform>
            <numerusform>k&#xa0;odeslání: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) attention</source>
        <translation>
            <numerusform>%n čeká na vás</numerusform>
            <numerusform>%n čekají na vás</numerusform>
            <numerusform>%n čeká na vás</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepCard</name>
    <message>
        <source>Answer</source>
        <translation>Odpověď</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>Kopírovat odpověď</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>pokus %1</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>Pracuje se…</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Zkopírováno.</translation>
    </message>
    <message>
        <source>You approved it. It&apos;s being sent.</source>
        <translation>Schválili jste to; právě se to odesílá.</translation>
    </message>
    <message>
        <source>Open the Outbox</source>
        <translation>Otevřít K&#xa0;odeslání</translation>
    </message>
    <message>
        <source>Its email is in Review. Nothing is sent until you approve it.</source>
        <translation>Jeho e-mail čeká ve Schvalování: dokud ho neschválíte, nic se neodešle.</translation>
    </message>
    <message>
        <source>Open in Review</source>
        <translation>Otevřít ve Schvalování</translation>
    </message>
    <message>
        <source>You rejected its email. Nothing was sent.</source>
        <translation>Jeho e-mail jste odmítli; nic se neodeslalo.</translation>
    </message>
    <message>
        <source>It couldn&apos;t be done.</source>
        <translation>Nepodařilo se to.</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>Email: %1</source>
        <translation>E-mail: %1</translation>
    </message>
    <message>
        <source>Document: %1</source>
        <translation>Dokument: %1</translation>
    </message>
</context>
<context>
    <name>StepLine</name>
    <message>
        <source>Move step %1 up</source>
        <translation>Posunout krok %1 nahoru</translation>
    </message>
    <message>
        <source>Move step %1 down</source>
        <translation>Posunout krok %1 dolů</translation>
    </message>
    <message>
        <source>Remove step %1</source>
        <translation>Odebrat krok %1</translation>
    </message>
    <message>
        <source>Step %1: what to do</source>
        <translation>Krok %1: co se má udělat</translation>
    </message>
</context>
<context>
    <name>SubscriptionsPage</name>
    <message>
        <source>Subscriptions</source>
        <translation>Odběry</translation>
    </message>
    <message>
        <source>Senders of newsletters and list mail of the last six months appear here.</source>
        <translation>Tady se zobrazí odesílatelé newsletterů a&#xa0;hromadné pošty za posledních šest měsíců.</translation>
    </message>
    <message>
        <source>No subscriptions</source>
        <translation>Žádné odběry</translation>
    </message>
    <message>
        <source>Could not unsubscribe: %1</source>
        <translation>Odběr se nepodařilo odhlásit: %1</translation>
    </message>
    <message>
        <source>This sender offers no way to unsubscribe. Archive its mail or block it instead.</source>
        <translation>Tento odesílatel nenabízí odhlášení. Jeho poštu můžete archivovat nebo ho blokovat.</translation>
    </message>
    <message>
        <source>Unsubscribing at %1…</source>
        <translation>Odhlašuje se odběr: %1…</translation>
    </message>
    <message>
        <source>Unsubscribed at %1. A few more messages may still come.</source>
        <translation>Odběr je odhlášen: %1. Několik zpráv ještě může přijít.</translation>
    </message>
    <message>
        <source>Nothing from this sender is in the inbox.</source>
        <translation>V&#xa0;doručené poště není od tohoto odesílatele nic.</translation>
    </message>
    <message>
        <source>New email from %1 will be archived.</source>
        <translation>Nové e-maily se budou archivovat (od: %1).</translation>
    </message>
    <message>
        <source>%1 is blocked. Their email goes to spam.</source>
        <translation>Blokováno: %1. Další e-maily půjdou do spamu.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Vrátit zpět</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n zpráva</numerusform>
            <numerusform>%n zprávy</numerusform>
            <numerusform>%n zpráv</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 read</source>
        <translation>%1 přečteno</translation>
    </message>
    <message>
        <source>none read</source>
        <translation>nic nepřečteno</translation>
    </message>
    <message>
        <source>Unsubscribed</source>
        <translation>Odhlášeno</translation>
    </message>
</context>
<context>
    <name>Suspicion</name>
    <message>
        <source>The name belongs to %1, but the address is %2.</source>
        <translation>Jméno patří k&#xa0;adrese %1, ale zpráva je z&#xa0;%2.</translation>
    </message>
    <message>
        <source>A link shows %1 but leads to %2.</source>
        <translation>Odkaz ukazuje %1, ale vede na %2.</translation>
    </message>
    <message>
        <source>Replies go to %2, not to the sender.</source>
        <translation>Odpovědi jdou na %2, ne odesílateli.</translation>
    </message>
    <message>
        <source>It says that bank details changed. Call the sender on a number you know before you pay.</source>
        <translation>Píše se v&#xa0;ní o&#xa0;změně bankovního účtu. Než zaplatíte, zavolejte odesílateli na číslo, které znáte.</translation>
    </message>
    <message>
        <source>The sender pretends to be %1, but the email comes from %2.</source>
        <translation>Odesílatel se vydává za někoho jiného (%1), e-mail ale přišel z&#xa0;adresy %2.</translation>
    </message>
</context>
<context>
    <name>SuspicionBanner</name>
    <message>
        <source>This message looks like phishing</source>
        <translation>Tato zpráva vypadá jako podvod</translation>
    </message>
    <message>
        <source>Report phishing</source>
        <translation>Nahlásit podvod</translation>
    </message>
    <message>
        <source>Not suspicious</source>
        <translation>Není podezřelá</translation>
    </message>
    <message>
        <source>Be careful with this message</source>
        <translation>U&#xa0;této zprávy buďte opatrní</translation>
    </message>
    <message>
        <source>This message looks like phishing. Press again to reply anyway.</source>
        <translation>Tato zpráva vypadá jako podvod. Stiskněte znovu, chcete-li přesto odpovědět.</translation>
    </message>
</context>
<context>
    <name>SyncScreen</name>
    <message>
        <source>Counting…</source>
        <translation>Počítám…</translation>
    </message>
    <message>
        <source>Waiting for Gmail…</source>
        <translation>Čeká se na Gmail…</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pozastaveno</translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>zbývá asi %n minuta</numerusform>
            <numerusform>zbývají asi %n minuty</numerusform>
            <numerusform>zbývá asi %n minut</numerusform>
        </translation>
    </message>
    <message>
        <source>Downloading your mail</source>
        <translation>Stahuje se vaše pošta</translation>
    </message>
    <message>
        <source>Newest first, to this computer only. You can close the window; it will pick up where it left off.</source>
        <translation>Od nejnovější, jen do tohoto počítače. Okno můžete zavřít; příště se naváže tam, kde se skončilo.</translation>
    </message>
    <message>
        <source>Emails downloaded</source>
        <translation>Stažené e-maily</translation>
    </message>
    <message>
        <source>Continue with what&apos;s downloaded</source>
        <translation>Pokračovat s&#xa0;tím, co už tu je</translation>
    </message>
    <message>
        <source>%1 of %2 emails</source>
        <translation>%1 z&#xa0;%2 e-mailů</translation>
    </message>
</context>
<context>
    <name>TemplatesPage</name>
    <message>
        <source>Templates</source>
        <translation>Šablony</translation>
    </message>
    <message>
        <source>A template needs a name and text.</source>
        <translation>Šablona potřebuje název a&#xa0;text.</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Uloženo.</translation>
    </message>
    <message>
        <source>Deleted.</source>
        <translation>Smazáno.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>No templates yet</source>
        <translation>Zatím žádné šablony</translation>
    </message>
    <message>
        <source>Add a template</source>
        <translation>Přidat šablonu</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Název</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Reusable text you can insert with two keys.</source>
        <translation>Slova, která píšete stále dokola, vložená do e-mailu dvěma klávesami.</translation>
    </message>
    <message>
        <source>Subject (if the message has none)</source>
        <translation>Předmět (použije se, když e-mail žádný nemá)</translation>
    </message>
    <message>
        <source>{{price}} becomes a blank; {{first name}} is filled in for you.</source>
        <translation>{{price}} je místo k&#xa0;doplnění při použití; {{first name}} se doplní podle příjemce.</translation>
    </message>
</context>
<context>
    <name>ThreadActions</name>
    <message>
        <source>Mail of %2 can&apos;t go into the inbox of %1. Nothing was moved.</source>
        <translation>Do doručené pošty účtu %1 nepatří pošta účtu %2: nic se nepřesunulo.</translation>
    </message>
    <message>
        <source>%2 has no label “%1”. Nothing was moved.</source>
        <translation>Účet %2 nemá štítek „%1“: nic se nepřesunulo.</translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) archived</source>
        <translation>
            <numerusform>%n konverzace archivována</numerusform>
            <numerusform>%n konverzace archivovány</numerusform>
            <numerusform>%n konverzací archivováno</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) moved to the inbox</source>
        <translation>
            <numerusform>%n konverzace přesunuta do doručené pošty</numerusform>
            <numerusform>%n konverzace přesunuty do doručené pošty</numerusform>
            <numerusform>%n konverzací přesunuto do doručené pošty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) moved to trash</source>
        <translation>
            <numerusform>%n konverzace přesunuta do koše</numerusform>
            <numerusform>%n konverzace přesunuty do koše</numerusform>
            <numerusform>%n konverzací přesunuto do koše</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) marked as spam</source>
        <translation>
            <numerusform>%n konverzace označena jako spam</numerusform>
            <numerusform>%n konverzace označeny jako spam</numerusform>
            <numerusform>%n konverzací označeno jako spam</numerusform>
        </translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>S&#xa0;hvězdičkou</translation>
    </message>
    <message>
        <source>Star removed</source>
        <translation>Hvězdička odebrána</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>Označit jako přečtené</translation>
    </message>
    <message>
        <source>Mark as unread</source>
        <translation>Označit jako nepřečtené</translation>
    </message>
    <message>
        <source>Not spam</source>
        <translation>Není spam</translation>
    </message>
    <message>
        <source>Report spam</source>
        <translation>Nahlásit spam</translation>
    </message>
    <message>
        <source>Marked as unread</source>
        <translation>Označeno jako nepřečtené</translation>
    </message>
    <message>
        <source>Marked as read</source>
        <translation>Označeno jako přečtené</translation>
    </message>
    <message>
        <source>Label “%1” removed</source>
        <translation>Štítek „%1“ odebrán</translation>
    </message>
    <message>
        <source>Label “%1” added</source>
        <translation>Štítek „%1“ přidán</translation>
    </message>
    <message>
        <source>Moved to “%1”</source>
        <translation>Přesunuto pod „%1“</translation>
    </message>
    <message>
        <source>Snoozed until %1</source>
        <translation>Odloženo do %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>Muted and archived. New replies skip the inbox.</source>
        <translation>Ztišeno a&#xa0;archivováno. Nové odpovědi přeskočí doručenou poštu.</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>Vráceno zpět.</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>Zrušit ztlumení</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Ztlumit</translation>
    </message>
    <message>
        <source>New messages reach the inbox again.</source>
        <translation>Nové zprávy opět přijdou do doručené pošty.</translation>
    </message>
</context>
<context>
    <name>ThreadSummary</name>
    <message>
        <source>Summary</source>
        <translation>Shrnutí</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Vy</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>TimeMenu</name>
    <message>
        <source>tomorrow, Tue 3pm, in 2 hours…</source>
        <translation>zítra, út 15:00, za 2 hodiny…</translation>
    </message>
    <message>
        <source>No time found. Try “tue 3pm”.</source>
        <translation>Čas není jasný. Zkuste „út 15:00“.</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>Steps of the run</source>
        <translation>Kroky běhu</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>selhalo</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Před</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Po</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Chyba</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close (Esc)</source>
        <translation>Zavřít (Esc)</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>Zavřít toto oznámení</translation>
    </message>
</context>
<context>
    <name>TodayPage</name>
    <message>
        <source>Today</source>
        <translation>Dnes</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Ke schválení</translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) to review</source>
        <translation>
            <numerusform>%n položka ke schválení</numerusform>
            <numerusform>%n položky ke schválení</numerusform>
            <numerusform>%n položek ke schválení</numerusform>
        </translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>Doručená pošta</translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) need a reply</source>
        <translation>
            <numerusform>%n konverzace čeká na odpověď</numerusform>
            <numerusform>%n konverzace čekají na odpověď</numerusform>
            <numerusform>%n konverzací čeká na odpověď</numerusform>
        </translation>
    </message>
    <message>
        <source>Outbox</source>
        <translation>K&#xa0;odeslání</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) need your attention</source>
        <translation>
            <numerusform>%n zpráva vyžaduje vaši pozornost</numerusform>
            <numerusform>%n zprávy vyžadují vaši pozornost</numerusform>
            <numerusform>%n zpráv vyžaduje vaši pozornost</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is waiting for you.</source>
        <translation>Nic na vás nečeká.</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>Čeká na vás</translation>
    </message>
    <message>
        <source>You promised</source>
        <translation>Slíbili jste</translation>
    </message>
    <message>
        <source>Others owe you a reply</source>
        <translation>Ostatní vám dluží odpověď</translation>
    </message>
    <message>
        <source>Show all %1</source>
        <translation>Zobrazit všech %1</translation>
    </message>
    <message>
        <source>overdue, %1</source>
        <translation>po termínu, %1</translation>
    </message>
    <message>
        <source>Meetings today</source>
        <translation>Dnešní schůzky</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Obsazeno</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>do %1</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) sorted</source>
        <translation>
            <numerusform>%n zpráva roztříděna</numerusform>
            <numerusform>%n zprávy roztříděny</numerusform>
            <numerusform>%n zpráv roztříděno</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) approved</source>
        <translation>
            <numerusform>%n koncept schválen</numerusform>
            <numerusform>%n koncepty schváleny</numerusform>
            <numerusform>%n konceptů schváleno</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rejected</source>
        <translation>
            <numerusform>%n zamítnut</numerusform>
            <numerusform>%n zamítnuty</numerusform>
            <numerusform>%n zamítnuto</numerusform>
        </translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Asistent</translation>
    </message>
    <message>
        <source>Done today</source>
        <translation>Dnes hotovo</translation>
    </message>
</context>
<context>
    <name>ToolRow</name>
    <message>
        <source>More</source>
        <translation>Další</translation>
    </message>
</context>
<context>
    <name>Trace</name>
    <message>
        <source>Asked the model</source>
        <translation>Dotaz na model</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Použito</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Chyba</translation>
    </message>
    <message>
        <source>the draft</source>
        <translation>koncept</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Přečteno</translation>
    </message>
    <message>
        <source>Sorted as</source>
        <translation>Zařazeno</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Proč</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Nalezeno</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Nástroje</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Koncept</translation>
    </message>
    <message>
        <source>Without a source</source>
        <translation>Bez zdroje</translation>
    </message>
    <message>
        <source>You wrote</source>
        <translation>Napsali jste</translation>
    </message>
    <message>
        <source>Without the model</source>
        <translation>Bez modelu</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Další krok</translation>
    </message>
    <message>
        <source>Outbox</source>
        <translation>K&#xa0;odeslání</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Výsledek</translation>
    </message>
    <message>
        <source>results of tools: %1</source>
        <translation>výsledky nástrojů: %1</translation>
    </message>
    <message>
        <source>an email that has since been deleted</source>
        <translation>e-mail, který byl mezitím smazán</translation>
    </message>
    <message>
        <source>“%1” from %2</source>
        <translation>„%1“ (od: %2)</translation>
    </message>
    <message>
        <source>to sort the email</source>
        <translation>na zařazení e-mailu</translation>
    </message>
    <message>
        <source>to write a draft</source>
        <translation>na koncept</translation>
    </message>
    <message>
        <source>for the next step</source>
        <translation>na další krok</translation>
    </message>
    <message>
        <source>to learn from your decision</source>
        <translation>na poučení z&#xa0;vašeho rozhodnutí</translation>
    </message>
</context>
<context>
    <name>TraceText</name>
    <message>
        <source>What was done, step by step</source>
        <translation>Co se udělalo, krok za krokem</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Something needs your decision.</source>
        <translation>Něco čeká na vaše rozhodnutí.</translation>
    </message>
    <message>
        <source>Google wants you to sign in again.</source>
        <translation>Google chce, abyste se znovu přihlásili.</translation>
    </message>
    <message>
        <source>unread: %1</source>
        <translation>nepřečteno: %1</translation>
    </message>
    <message>
        <source>waiting for you: %1</source>
        <translation>čeká na vás: %1</translation>
    </message>
    <message>
        <source>A message is on hold in the Outbox.</source>
        <translation>Něco bylo zadrženo a&#xa0;čeká na vás v&#xa0;K&#xa0;odeslání.</translation>
    </message>
    <message>
        <source>New mail from %1</source>
        <translation>Nová pošta: %1</translation>
    </message>
    <message>
        <source>Sign-in code from %1</source>
        <translation>Přihlašovací kód: %1</translation>
    </message>
    <message>
        <source>Needs a reply: mail from %1</source>
        <translation>Čeká na odpověď: píše %1</translation>
    </message>
    <message>
        <source>on hold or not confirmed in the Outbox: %1</source>
        <translation>zadrženo nebo nepotvrzeno v&#xa0;K&#xa0;odeslání: %1</translation>
    </message>
    <message>
        <source>Checking whether an email was sent. It won&apos;t be sent twice. See the Outbox.</source>
        <translation>Zatím není jasné, zda se e-mail odeslal. Ověřuje se to v&#xa0;Gmailu a&#xa0;znovu se neodesílá; viz K&#xa0;odeslání.</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Google will sign you out within a day because the consent screen is in testing mode. Sign in again in Settings &gt; Accounts.</source>
        <translation>Google během dne ukončí přihlášení, protože obrazovka souhlasu je v&#xa0;testování. Přihlaste se znovu v&#xa0;Nastavení, Účty.</translation>
    </message>
    <message>
        <source>Google signed you out after 7 days because the consent screen is in testing mode. Publish it, then sign in again.</source>
        <translation>Google ukončil přihlášení po 7 dnech, protože obrazovka souhlasu je v&#xa0;testování. Zveřejněte ji a&#xa0;přihlaste se znovu.</translation>
    </message>
    <message>
        <source>Something went wrong; nothing was lost.</source>
        <translation>Něco se nepovedlo; nic se neztratilo.</translation>
    </message>
    <message>
        <source>Google does not allow this for your account. Sign in again and grant every permission.</source>
        <translation>Google to vašemu účtu nedovoluje. Přihlaste se znovu a&#xa0;udělte všechna oprávnění.</translation>
    </message>
    <message>
        <source>The API is not enabled in your Google project. Enable it in Google&apos;s console, wait a few minutes, and try again.</source>
        <translation>V&#xa0;projektu Google není API zapnuté. Zapněte je v&#xa0;konzoli Googlu, několik minut počkejte a&#xa0;zkuste to znovu.</translation>
    </message>
    <message>
        <source>This is no longer on the server.</source>
        <translation>Na serveru už to není.</translation>
    </message>
    <message>
        <source>The mailbox file was damaged and has been replaced.</source>
        <translation>Soubor schránky byl poškozen a&#xa0;byl nahrazen.</translation>
    </message>
    <message>
        <source>The mailbox file was copied here by hand or from another computer.</source>
        <translation>Soubor schránky je kopie, kterou sem někdo vložil ručně nebo přenesl z&#xa0;jiného počítače.</translation>
    </message>
    <message>
        <source>A header pattern of a rule is too slow and never matches. Simplify it in Settings &gt; Rules.</source>
        <translation>Vzor pro hlavičku v&#xa0;pravidle trvá příliš dlouho a&#xa0;bere se, jako by neodpovídal. Zjednodušte ho v&#xa0;Nastavení, Pravidla.</translation>
    </message>
    <message>
        <source>Sign-in canceled.</source>
        <translation>Přihlášení bylo zrušeno.</translation>
    </message>
    <message>
        <source>You&apos;re offline. Everything is queued and will send when you&apos;re back.</source>
        <translation>Poštovní server není dostupný. Vše zůstává ve frontě a&#xa0;odejde, až budete online.</translation>
    </message>
    <message>
        <source>Sign in to Google again to keep sending and receiving.</source>
        <translation>Google chce, abyste se znovu přihlásili. Do té doby se nic neodesílá ani nestahuje.</translation>
    </message>
    <message>
        <source>Google&apos;s limit reached. Work resumes automatically when it resets.</source>
        <translation>Kvóta Googlu je prozatím vyčerpána. Až se uvolní, práce se sama rozběhne.</translation>
    </message>
    <message>
        <source>Your organization doesn&apos;t allow this program. Ask its administrator.</source>
        <translation>Vaše organizace tento program nepouští. Povolit ho může jen její správce.</translation>
    </message>
    <message>
        <source>Re-syncing your mailbox.</source>
        <translation>Schránka se od poslední synchronizace příliš změnila; porovnává se znovu.</translation>
    </message>
    <message>
        <source>The mail server has a problem. Replyroom tries again automatically; nothing is sent twice.</source>
        <translation>Poštovní server má potíže. Čtení se samo zopakuje; nic se neodešle dvakrát.</translation>
    </message>
    <message>
        <source>The mail server rejected this. Trying again won&apos;t help.</source>
        <translation>Poštovní server to odmítl; další pokus by nepomohl.</translation>
    </message>
    <message>
        <source>The language model isn&apos;t responding. Check its settings; drafting continues without it.</source>
        <translation>Jazykový model neodpovídá. Zkontrolujte jeho nastavení; koncepty zatím vznikají bez něj.</translation>
    </message>
    <message>
        <source>AI limit reached. Raise it in Settings or wait until it resets.</source>
        <translation>Limit volání modelu je vyčerpán. Zvyšte ho v&#xa0;Nastavení, nebo počkejte na konec dne či měsíce.</translation>
    </message>
    <message>
        <source>The assistant is paused. It picks up where it left off when you resume.</source>
        <translation>Agenti jsou pozastaveni. Co dělali, bude pokračovat, až je zase pustíte.</translation>
    </message>
    <message>
        <source>No keychain is available, so the key wasn&apos;t saved.</source>
        <translation>Na tomto počítači neodpovídá žádná bezpečná klíčenka, proto se tajný údaj neuložil.</translation>
    </message>
    <message>
        <source>The disk is full. Free some space and try again. Nothing was lost.</source>
        <translation>Disk je plný. Nic se nezapsalo napůl; uvolněte místo a&#xa0;zkuste to znovu.</translation>
    </message>
    <message>
        <source>This mailbox was written by a newer Replyroom. Update the program to open it.</source>
        <translation>Tuto schránku zapsal novější Replyroom. Zůstala beze změny; aktualizujte program.</translation>
    </message>
    <message>
        <source>The mailbox file is damaged. It is being replaced with a good copy; the damaged file stays.</source>
        <translation>Soubor schránky je poškozen. Zůstane zachován a&#xa0;jeho místo zaujme dobrá kopie.</translation>
    </message>
    <message>
        <source>The smart-search index was damaged and is being rebuilt. Nothing else is affected.</source>
        <translation>To, v&#xa0;čem Replyroom hledá podklady pro koncepty, bylo poškozeno. Sestavuje se znovu z&#xa0;vaší pošty; nic jiného se to netýká.</translation>
    </message>
    <message>
        <source>Replyroom is already running with this data folder.</source>
        <translation>V&#xa0;této složce s&#xa0;daty pracuje jiný Replyroom. Nejdřív ho zavřete.</translation>
    </message>
    <message>
        <source>The file couldn&apos;t be used.</source>
        <translation>V&#xa0;souboru je chyba, proto se nepoužil.</translation>
    </message>
    <message>
        <source>Some formatting of this draft can&apos;t be shown here. The draft in Gmail keeps it until you edit the draft here.</source>
        <translation>Slova, tučné písmo, kurzíva, odkazy, seznamy a&#xa0;citace tohoto konceptu se převzaly. Něco z&#xa0;jeho dalšího formátování se vynechalo; koncept v&#xa0;Gmailu ho má, dokud tu něco nezměníte.</translation>
    </message>
    <message>
        <source>This draft changed in the meantime, so nothing was decided. Check it again.</source>
        <translation>Koncept se mezitím změnil, a&#xa0;tak se nic nerozhodlo. Podívejte se na něj ještě jednou.</translation>
    </message>
    <message>
        <source>The draft still has blanks. Fill in or delete them first.</source>
        <translation>V&#xa0;konceptu jsou ještě nevyplněná místa. Nejdřív je doplňte nebo odstraňte.</translation>
    </message>
    <message>
        <source>That can&apos;t be done right now.</source>
        <translation>Teď to není možné; nic se nezměnilo.</translation>
    </message>
    <message>
        <source>Replyroom had to restart in the background. Nothing was lost.</source>
        <translation>Jádro odpovědělo nesmyslně a&#xa0;bylo spuštěno znovu. Nic se neztratilo.</translation>
    </message>
    <message>
        <source>Replyroom is restarting in the background.</source>
        <translation>Jádro neběží; spouští se znovu.</translation>
    </message>
    <message>
        <source>Something went wrong. Nothing was lost (details in the log).</source>
        <translation>Chyba přímo v&#xa0;Replyroomu. Je v&#xa0;protokolu; nic se neztratilo.</translation>
    </message>
    <message>
        <source>An account was to be removed, but the file that says which one can&apos;t be read, so nothing was deleted. Remove the account again in Settings &gt; Accounts. If you didn&apos;t remove any, delete the file named here.</source>
        <translation>Některý účet měl být zapomenut, ale poznámku, který to byl, nelze přečíst, takže se nic nesmazalo. Zapomeňte účet znovu v&#xa0;Nastavení, Účty. Pokud žádný zapomenut být neměl, smažte zde uvedený soubor.</translation>
    </message>
    <message>
        <source>The email this file came with is gone, so the attachment was removed. Attach it again before you send.</source>
        <translation>E-mail, se kterým tento soubor přišel, už není, a&#xa0;tak byl soubor z&#xa0;vašeho e-mailu odebrán. Před odesláním ho přiložte odjinud.</translation>
    </message>
    <message>
        <source>This failed several times, so it isn&apos;t tried again. Check it and try once more.</source>
        <translation>To, o&#xa0;co jste žádali, několikrát ukončilo jádro programu, a&#xa0;tak se to už nezkouší. Podívejte se na to znovu.</translation>
    </message>
    <message>
        <source>This network may need a sign-in. Open any web page to connect.</source>
        <translation>Místo poštovního serveru odpovídá něco mezi ním a&#xa0;tímto počítačem; takové odpovědi se nevěří. Pokud tato síť chce přihlášení, otevřete v&#xa0;prohlížeči libovolnou stránku.</translation>
    </message>
</context>
<context>
    <name>UnsubscribeBar</name>
    <message>
        <source>Unsubscribe</source>
        <translation>Odhlásit odběr</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>Review email</source>
        <translation>Napsat e-mail</translation>
    </message>
    <message>
        <source>Unsubscribe on the list&apos;s page at %1.</source>
        <translation>Pro odhlášení slouží stránka na %1.</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Otevřít v&#xa0;prohlížeči</translation>
    </message>
    <message>
        <source>Unsubscribing at %1…</source>
        <translation>Odhlašuje se na %1…</translation>
    </message>
    <message>
        <source>Unsubscribed from %1. You may still get one or two emails.</source>
        <translation>%1 vaše přání převzal. Ještě jednou či dvakrát může něco přijít.</translation>
    </message>
    <message>
        <source>Could not unsubscribe: %1</source>
        <translation>Nepodařilo se: %1</translation>
    </message>
    <message>
        <source>This sends one unsubscribe request to %1.</source>
        <translation>Na %1 odejde jediný požadavek, že tuto poštu už nechcete.</translation>
    </message>
    <message>
        <source>This list needs an email to unsubscribe you. You can review it first.</source>
        <translation>K&#xa0;odhlášení je potřeba e-mail. Před odesláním si ho můžete prohlédnout.</translation>
    </message>
    <message>
        <source>This email has no unsubscribe link.</source>
        <translation>Tento e-mail nemá odkaz k&#xa0;odhlášení odběru.</translation>
    </message>
</context>
<context>
    <name>VacationEditor</name>
    <message>
        <source>Answer automatically</source>
        <translation>Odpovídat automaticky</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Předmět</translation>
    </message>
    <message>
        <source>I am away until Monday and will answer then.</source>
        <translation>Do pondělí tu nejsem, odpovím potom.</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>Poslední den</translation>
    </message>
    <message>
        <source>Only to people in my contacts</source>
        <translation>Jen lidem v&#xa0;mých kontaktech</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Zpráva</translation>
    </message>
    <message>
        <source>First day</source>
        <translation>První den</translation>
    </message>
    <message>
        <source>Save to Gmail</source>
        <translation>Uložit do Gmailu</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Inbox</source>
        <translation>Doručená pošta</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Odeslaná pošta</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Koncepty</translation>
    </message>
    <message>
        <source>All mail</source>
        <translation>Veškerá pošta</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>S&#xa0;hvězdičkou</translation>
    </message>
    <message>
        <source>Snoozed</source>
        <translation>Odložené</translation>
    </message>
    <message>
        <source>Spam</source>
        <translation>Spam</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Koš</translation>
    </message>
    <message>
        <source>Email you send appears here.</source>
        <translation>Objeví se tu, co odešlete.</translation>
    </message>
    <message>
        <source>Snoozed conversations wait here until they return to the inbox.</source>
        <translation>Odložená konverzace tu čeká, než se vrátí do doručené pošty.</translation>
    </message>
    <message>
        <source>No sent mail</source>
        <translation>Žádná odeslaná pošta</translation>
    </message>
    <message>
        <source>No drafts</source>
        <translation>Žádné koncepty</translation>
    </message>
    <message>
        <source>No mail yet</source>
        <translation>Zatím žádná pošta</translation>
    </message>
    <message>
        <source>No starred conversations</source>
        <translation>Žádné konverzace s&#xa0;hvězdičkou</translation>
    </message>
    <message>
        <source>Nothing is snoozed</source>
        <translation>Nic není odloženo</translation>
    </message>
    <message>
        <source>No spam</source>
        <translation>Žádný spam</translation>
    </message>
    <message>
        <source>Trash is empty</source>
        <translation>Koš je prázdný</translation>
    </message>
    <message>
        <source>No mail with the label “%1”</source>
        <translation>Žádná pošta se štítkem „%1“</translation>
    </message>
    <message>
        <source>Conversations with this label appear here.</source>
        <translation>Objeví se tu konverzace, kterým tento štítek dáte.</translation>
    </message>
    <message>
        <source>Needs reply</source>
        <translation>K&#xa0;odpovědi</translation>
    </message>
    <message>
        <source>FYI</source>
        <translation>Pro informaci</translation>
    </message>
    <message>
        <source>Newsletters</source>
        <translation>Newslettery</translation>
    </message>
    <message>
        <source>Nothing here</source>
        <translation>Nic tu není</translation>
    </message>
    <message>
        <source>New mail of this kind appears here automatically.</source>
        <translation>Nová pošta tohoto druhu se tu objeví sama.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Vše</translation>
    </message>
    <message>
        <source>You&apos;re all caught up</source>
        <translation>Doručená pošta je prázdná</translation>
    </message>
    <message>
        <source>New mail appears here.</source>
        <translation>Nová pošta se tu objeví sama.</translation>
    </message>
    <message>
        <source>Drafts you start appear here.</source>
        <translation>Objeví se tu, co začnete psát.</translation>
    </message>
    <message>
        <source>Star conversations to find them here.</source>
        <translation>Dejte konverzaci hvězdičku a&#xa0;najdete ji tu.</translation>
    </message>
    <message>
        <source>Mail Google marks as spam appears here.</source>
        <translation>Objeví se tu, co Google považuje za spam.</translation>
    </message>
    <message>
        <source>Mail you move to Trash appears here.</source>
        <translation>Objeví se tu, co přesunete do koše.</translation>
    </message>
    <message>
        <source>%1: you&apos;re all caught up</source>
        <translation>Doručená pošta účtu %1 je prázdná</translation>
    </message>
    <message>
        <source>To review</source>
        <translation>Ke schválení</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>Vše ostatní</translation>
    </message>
</context>
<context>
    <name>WaitingPage</name>
    <message>
        <source>Waiting</source>
        <translation>Čekání</translation>
    </message>
    <message>
        <source>After how many working days</source>
        <translation>Po kolika pracovních dnech</translation>
    </message>
    <message numerus="yes">
        <source>%n working day(s)</source>
        <translation>
            <numerusform>%n pracovní den</numerusform>
            <numerusform>%n pracovní dny</numerusform>
            <numerusform>%n pracovních dní</numerusform>
        </translation>
    </message>
    <message>
        <source>Questions you sent appear here if nobody answers within the working days you choose.</source>
        <translation>Otázky, které jste poslali a nikdo na ně neodpověděl, se tu objeví po zvoleném počtu pracovních dnů.</translation>
    </message>
    <message>
        <source>No replies outstanding</source>
        <translation>Na nikoho nečekáte</translation>
    </message>
    <message>
        <source>Open Review</source>
        <translation>Otevřít schvalování</translation>
    </message>
    <message>
        <source>No longer tracked.</source>
        <translation>Už se na to nečeká.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zpět</translation>
    </message>
    <message>
        <source>you promised</source>
        <translation>slíbili jste</translation>
    </message>
    <message>
        <source>you promised it for %1</source>
        <translation>slíbili jste to na %1</translation>
    </message>
    <message>
        <source>Follow-up drafted. Find it in Review.</source>
        <translation>Připomenutí je připraveno; podívejte se na něj ve schvalování.</translation>
    </message>
</context>
<context>
    <name>WebMenu</name>
    <message>
        <source>Open link…</source>
        <translation>Otevřít odkaz…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Kopírovat adresu odkazu</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopírovat</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Vybrat vše</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Welcome</source>
        <translation>Vítejte</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Zkusit znovu</translation>
    </message>
    <message>
        <source>You didn&apos;t finish signing in in your browser.</source>
        <translation>Přihlášení v&#xa0;prohlížeči jste nedokončili.</translation>
    </message>
    <message>
        <source>Starting the sample mailbox</source>
        <translation>Spouští se ukázková schránka</translation>
    </message>
    <message>
        <source>It replaces this window in a few seconds.</source>
        <translation>Za několik sekund nahradí toto okno.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
</context>
<context>
    <name>Whose</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>Why</source>
        <translation>Proč</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s)</source>
        <translation>
            <numerusform>%n zdroj</numerusform>
            <numerusform>%n zdroje</numerusform>
            <numerusform>%n zdrojů</numerusform>
        </translation>
    </message>
    <message>
        <source>Drafted %1</source>
        <translation>Připraveno %1</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Technické podrobnosti</translation>
    </message>
    <message>
        <source>revision %1</source>
        <translation>revize %1</translation>
    </message>
    <message>
        <source>sources match: %1</source>
        <translation>shoda zdrojů: %1</translation>
    </message>
    <message>
        <source>Show every step</source>
        <translation>Zobrazit všechny kroky</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Draft</source>
        <translation>Koncept</translation>
    </message>
    <message>
        <source>Draft with blanks</source>
        <translation>Koncept k&#xa0;doplnění</translation>
    </message>
    <message>
        <source>Needs reply</source>
        <translation>K&#xa0;odpovědi</translation>
    </message>
    <message>
        <source>(no subject)</source>
        <translation>(bez předmětu)</translation>
    </message>
    <message>
        <source>unread</source>
        <translation>nepřečtené</translation>
    </message>
    <message>
        <source>needs reply</source>
        <translation>k&#xa0;odpovědi</translation>
    </message>
    <message>
        <source>FYI</source>
        <translation>pro informaci</translation>
    </message>
    <message>
        <source>low priority</source>
        <translation>nízká priorita</translation>
    </message>
    <message>
        <source>inquiry</source>
        <translation>dotaz</translation>
    </message>
    <message>
        <source>meeting request</source>
        <translation>žádost o&#xa0;schůzku</translation>
    </message>
    <message>
        <source>complaint</source>
        <translation>stížnost</translation>
    </message>
    <message>
        <source>follow-up</source>
        <translation>připomenutí</translation>
    </message>
    <message>
        <source>spam</source>
        <translation>spam</translation>
    </message>
    <message>
        <source>other</source>
        <translation>jiné</translation>
    </message>
    <message>
        <source>reply</source>
        <translation>odpověď</translation>
    </message>
    <message>
        <source>action</source>
        <translation>úkon</translation>
    </message>
    <message>
        <source>question</source>
        <translation>otázka</translation>
    </message>
    <message>
        <source>escalation</source>
        <translation>předání</translation>
    </message>
    <message>
        <source>needs attention</source>
        <translation>podívejte se sami</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>plán</translation>
    </message>
    <message>
        <source>To %1</source>
        <translation>Komu: %1</translation>
    </message>
    <message>
        <source>low confidence</source>
        <translation>nejisté</translation>
    </message>
    <message>
        <source>From a template (no AI)</source>
        <translation>Koncept ze šablony, bez jazykového modelu</translation>
    </message>
    <message>
        <source>From one of your earlier replies (no AI)</source>
        <translation>Z&#xa0;vaší dřívější odpovědi, bez jazykového modelu</translation>
    </message>
    <message>
        <source>Drafted by %1 on this computer. Check the facts.</source>
        <translation>Koncept od místního modelu %1: ověřte fakta</translation>
    </message>
    <message>
        <source>Drafted by %1</source>
        <translation>Autor konceptu: %1</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <translation>ddd d. MMM yyyy</translation>
    </message>
    <message>
        <source>back at %1</source>
        <translation>zpět dnes %1</translation>
    </message>
    <message>
        <source>back tomorrow %1</source>
        <translation>zpět zítra %1</translation>
    </message>
    <message>
        <source>back on %1, %2</source>
        <translation>zpět %1, %2</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>d. M. (ddd)</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>d. M. yyyy</translation>
    </message>
    <message>
        <source>Draft ready</source>
        <translation>Koncept připraven</translation>
    </message>
    <message>
        <source>To send</source>
        <translation>Ke schválení</translation>
    </message>
    <message>
        <source>For your information</source>
        <translation>Pro informaci</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Vyžaduje pozornost</translation>
    </message>
    <message>
        <source>Muted</source>
        <translation>Ztlumeno</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Dnes</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Včera</translation>
    </message>
    <message>
        <source>Earlier this week</source>
        <translation>Dříve tento týden</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>Minulý týden</translation>
    </message>
    <message>
        <source>Earlier this month</source>
        <translation>Dříve tento měsíc</translation>
    </message>
    <message>
        <source>No reply yet</source>
        <translation>Zatím bez odpovědi</translation>
    </message>
</context>
<context>
    <name>WritingHelp</name>
    <message>
        <source>What should it say? For example: thank her, propose Thursday</source>
        <translation>Co má napsat? Například: poděkuj, navrhni čtvrtek</translation>
    </message>
    <message>
        <source>What should it say?</source>
        <translation>Co má napsat?</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Napsat</translation>
    </message>
    <message>
        <source>Shorter</source>
        <translation>Kratší</translation>
    </message>
    <message>
        <source>Friendlier</source>
        <translation>Přátelštější</translation>
    </message>
    <message>
        <source>Translate…</source>
        <translation>Přeložit…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Zrušit</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Angličtina</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Čeština</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Němčina</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Francouzština</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Španělština</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italština</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>Polština</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Píšu…</translation>
    </message>
</context>
</TS>
