; The installer of Replyroom for one user of 64-bit Windows, made by installer.py, which gives:
;   VERSION  as in pyproject.toml        FOUR_NUMBERS  the same as Windows wants it
;   PAYLOAD  the frozen program: replyroom.exe and _internal        ICON  replyroom.ico        OUTPUT  the installer
;   TARGET   another kind of installer than 32-bit Unicode, which runs on every Windows
;
; Nothing outside the user's own folders and registry is written, so no administrator is asked for. Silently: /S, and /D=FOLDER last.
; It ends with 2 where it refused; the program that was there before is then as it was. Uninstalled silently, mail is always kept.

Unicode true
!ifdef TARGET
  Target ${TARGET}
!endif
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetCompressorDictSize 32

!include MUI2.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include x64.nsh

!define NAME "Replyroom"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define CLIENT_KEY "Software\Clients\Mail\${NAME}"
!define ADDRESS_CLASS "${NAME}.Url.mailto"
!define DATA "$LOCALAPPDATA\${NAME}" ; where the program keeps mail: never the folder of the program

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${FOUR_NUMBERS}"
VIAddVersionKey ProductName "${NAME}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "${NAME} Setup"
VIAddVersionKey LegalCopyright "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\replyroom.exe"
!define MUI_FINISHPAGE_NOAUTOCLOSE
!define MUI_COMPONENTSPAGE_NODESC

!insertmacro MUI_PAGE_COMPONENTS
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE FolderChosen
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

!include languages.nsh

; A running program cannot be opened to be written. Asks until it has ended; silently, or after Cancel, gives up.
!macro RefuseWhileRunning
  ${DoWhile} ${FileExists} "$INSTDIR\replyroom.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\replyroom.exe" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY +2
    Abort "$(RUNNING)"
  ${Loop}
!macroend

; $0 becomes "yes" if the program may go into $INSTDIR: a folder that is new, empty, or has the program already, be it half of one that
; lost its power meanwhile; and not that of the mail.
Function LookAtFolder
  StrCpy $0 "no"
  ${If} $INSTDIR == "${DATA}"
    Return
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\replyroom.exe"
  ${OrIf} ${FileExists} "$INSTDIR\replyroom-uninstall.exe"
    StrCpy $0 "yes"
    Return
  ${EndIf}
  StrCpy $0 "yes"
  FindFirst $1 $2 "$INSTDIR\*.*"
  ${DoWhile} $2 != ""
    ${If} $2 != "."
    ${AndIf} $2 != ".."
      StrCpy $0 "no"
    ${EndIf}
    FindNext $1 $2
  ${Loop}
  FindClose $1
FunctionEnd

Function FolderChosen
  Call LookAtFolder
  ${If} $0 == "no"
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(OTHER_FILES)"
    Abort
  ${EndIf}
FunctionEnd

Function .onInit
  SetRegView 64
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
  ${OrIfNot} ${AtLeastBuild} 17763
    MessageBox MB_OK|MB_ICONSTOP "$(NEEDS_WINDOWS)" /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
FunctionEnd

Function PutBack
  ${If} ${FileExists} "$INSTDIR\_before\_internal\*.*"
    RMDir /r "$INSTDIR\_internal"
    Rename "$INSTDIR\_before\_internal" "$INSTDIR\_internal"
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\_before\replyroom.exe"
    Delete "$INSTDIR\replyroom.exe"
    Rename "$INSTDIR\_before\replyroom.exe" "$INSTDIR\replyroom.exe"
  ${EndIf}
  RMDir "$INSTDIR\_before"
FunctionEnd

; The program that was there is put aside whole, and comes back whole if the new one cannot be unpacked.
Function PutAside
  Call PutBack
  ${If} ${FileExists} "$INSTDIR\replyroom.exe"
    CreateDirectory "$INSTDIR\_before"
    ClearErrors
    ${If} ${FileExists} "$INSTDIR\_internal\*.*"
      Rename "$INSTDIR\_internal" "$INSTDIR\_before\_internal"
    ${EndIf}
    ${IfNot} ${Errors}
      Rename "$INSTDIR\replyroom.exe" "$INSTDIR\_before\replyroom.exe"
    ${EndIf}
    ${If} ${Errors}
      Call PutBack
      MessageBox MB_OK|MB_ICONSTOP "$(IN_USE)" /SD IDOK
      Abort "$(IN_USE)"
    ${EndIf}
  ${EndIf}
FunctionEnd

Function .onInstFailed
  Call PutBack
FunctionEnd

Section "$(PART_PROGRAM)" PROGRAM
  SectionIn RO
  Call LookAtFolder
  ${If} $0 == "no"
    Abort "$(OTHER_FILES)"
  ${EndIf}
  !insertmacro RefuseWhileRunning
  Call PutAside
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\replyroom-uninstall.exe"
  File /r "${PAYLOAD}\*"
  RMDir /r "$INSTDIR\_before"

  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\replyroom.exe" "" "$INSTDIR\replyroom.exe" 0 SW_SHOWNORMAL "" "$(COMMENT)"

  ; A program for mail addresses among others: which one Windows uses is chosen in Windows' settings, not here.
  WriteRegStr HKCU "Software\Classes\${ADDRESS_CLASS}" "" "${NAME}"
  WriteRegStr HKCU "Software\Classes\${ADDRESS_CLASS}" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\${ADDRESS_CLASS}\DefaultIcon" "" "$INSTDIR\replyroom.exe,0"
  WriteRegStr HKCU "Software\Classes\${ADDRESS_CLASS}\shell\open\command" "" '"$INSTDIR\replyroom.exe" "%1"'
  WriteRegStr HKCU "${CLIENT_KEY}" "" "${NAME}"
  WriteRegStr HKCU "${CLIENT_KEY}\Capabilities" "ApplicationName" "${NAME}"
  WriteRegStr HKCU "${CLIENT_KEY}\Capabilities" "ApplicationDescription" "$(COMMENT)"
  WriteRegStr HKCU "${CLIENT_KEY}\Capabilities" "ApplicationIcon" "$INSTDIR\replyroom.exe,0"
  WriteRegStr HKCU "${CLIENT_KEY}\Capabilities\URLAssociations" "mailto" "${ADDRESS_CLASS}"
  WriteRegStr HKCU "${CLIENT_KEY}\shell\open\command" "" '"$INSTDIR\replyroom.exe"'
  WriteRegStr HKCU "Software\RegisteredApplications" "${NAME}" "${CLIENT_KEY}\Capabilities"

  SectionGetSize ${PROGRAM} $0
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\replyroom.exe,0"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\replyroom-uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\replyroom-uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" $0
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
SectionEnd

Section /o "$(PART_DESKTOP)" DESKTOP
  CreateShortcut "$DESKTOP\${NAME}.lnk" "$INSTDIR\replyroom.exe" "" "$INSTDIR\replyroom.exe" 0 SW_SHOWNORMAL "" "$(COMMENT)"
SectionEnd

Function un.onInit
  SetRegView 64
FunctionEnd

Section "Uninstall"
  !insertmacro RefuseWhileRunning
  ; Only what was installed, by name: whatever else lies in the folder is somebody's.
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\replyroom.exe"
  Delete "$INSTDIR\replyroom-uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  Delete "$DESKTOP\${NAME}.lnk"
  DeleteRegValue HKCU "Software\RegisteredApplications" "${NAME}"
  DeleteRegKey HKCU "${CLIENT_KEY}"
  DeleteRegKey HKCU "Software\Classes\${ADDRESS_CLASS}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ${If} ${FileExists} "${DATA}\*.*"
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(DELETE_MAIL)" /SD IDNO IDNO kept
    ClearErrors
    RMDir /r "${DATA}"
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(LEFT_OVER)" /SD IDOK
    ${EndIf}
    kept:
  ${EndIf}
SectionEnd
