; What the installer says besides NSIS's own words. Saved in UTF-8; a Czech preposition of one letter is followed by a no-break space.

!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Czech"

LangString PART_PROGRAM ${LANG_ENGLISH} "Replyroom"
LangString PART_PROGRAM ${LANG_CZECH} "Replyroom"
LangString PART_DESKTOP ${LANG_ENGLISH} "Link on the desktop"
LangString PART_DESKTOP ${LANG_CZECH} "Zástupce na ploše"

LangString COMMENT ${LANG_ENGLISH} "Drafts replies for your review; sends only what you approved"
LangString COMMENT ${LANG_CZECH} "Připravuje odpovědi ke schválení; posílá jen to, co jste schválili"

LangString NEEDS_WINDOWS ${LANG_ENGLISH} "Replyroom needs 64-bit Windows 10, version 1809, or newer."
LangString NEEDS_WINDOWS ${LANG_CZECH} "Replyroom potřebuje 64bitová Windows 10 verze 1809 nebo novější."

LangString RUNNING ${LANG_ENGLISH} "Replyroom is running. Quit it with Ctrl+Q, or by a right click on its icon beside the clock; closing its window is not enough. Then choose Retry.$\r$\n$\r$\nMail on its way is not lost: it is sent when Replyroom runs again."
LangString RUNNING ${LANG_CZECH} "Replyroom běží. Ukončete ho klávesami Ctrl+Q, nebo pravým tlačítkem na jeho ikoně u hodin; zavřít okno nestačí. Potom zvolte Opakovat.$\r$\n$\r$\nPošta na cestě se neztratí: odešle se, až Replyroom znovu poběží."

LangString IN_USE ${LANG_ENGLISH} "Another program uses files of Replyroom in this folder:$\r$\n$\r$\n$INSTDIR$\r$\n$\r$\nClose it and start this again. Nothing was changed."
LangString IN_USE ${LANG_CZECH} "Soubory Replyroomu v této složce používá jiný program:$\r$\n$\r$\n$INSTDIR$\r$\n$\r$\nZavřete ho a spusťte toto znovu. Nic se nezměnilo."

LangString OTHER_FILES ${LANG_ENGLISH} "This folder holds other files, or is the one for your mail:$\r$\n$\r$\n$INSTDIR$\r$\n$\r$\nChoose a new or an empty folder."
LangString OTHER_FILES ${LANG_CZECH} "V této složce jsou jiné soubory, nebo je to složka pro vaši poštu:$\r$\n$\r$\n$INSTDIR$\r$\n$\r$\nVyberte novou nebo prázdnou složku."

LangString DELETE_MAIL ${LANG_ENGLISH} "Replyroom goes. Is your mail on this computer to be deleted as well: the copy of your mailbox, drafts, rules, settings and approved mail that was not sent yet?$\r$\n$\r$\n$LOCALAPPDATA\Replyroom$\r$\n$\r$\nYour mailbox at Google stays as it is. Sign-ins stay in Windows' Credential Manager, under Replyroom. If you choose No, everything is there when you install Replyroom again."
LangString DELETE_MAIL ${LANG_CZECH} "Replyroom se odinstaluje. Má se smazat i vaše pošta v tomto počítači: kopie schránky, koncepty, pravidla, nastavení a schválené e-maily, které ještě neodešly?$\r$\n$\r$\n$LOCALAPPDATA\Replyroom$\r$\n$\r$\nSchránka u Googlu zůstane, jak je. Přihlášení zůstanou ve Správci přihlašovacích údajů Windows pod jménem Replyroom. Zvolíte-li Ne, najdete všechno, až Replyroom znovu nainstalujete."

LangString LEFT_OVER ${LANG_ENGLISH} "Some files of your mail could not be deleted. They are in this folder:$\r$\n$\r$\n$LOCALAPPDATA\Replyroom"
LangString LEFT_OVER ${LANG_CZECH} "Některé soubory vaší pošty nešlo smazat. Jsou v této složce:$\r$\n$\r$\n$LOCALAPPDATA\Replyroom"
