<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_GB">
<context>
    <name>AccountCard</name>
    <message numerus="yes">
        <source>%n email(s) couldn&apos;t be downloaded yet. Replyroom tries again automatically.</source>
        <translation>
            <numerusform>%n email couldn&apos;t be downloaded yet. Replyroom tries again automatically.</numerusform>
            <numerusform>%n emails couldn&apos;t be downloaded yet. Replyroom tries again automatically.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AskedList</name>
    <message numerus="yes">
        <source>%n question(s) that only you can answer:</source>
        <translation>
            <numerusform>%n question that only you can answer:</numerusform>
            <numerusform>%n questions that only you can answer:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AttachmentBar</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BacktestDialog</name>
    <message numerus="yes">
        <source>Last %n month(s)</source>
        <translation>
            <numerusform>Last %n month</numerusform>
            <numerusform>Last %n months</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message numerus="yes">
        <source>the last %n day(s)</source>
        <translation>
            <numerusform>the last %n day</numerusform>
            <numerusform>the last %n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) decided</source>
        <translation>
            <numerusform>%n draft decided</numerusform>
            <numerusform>%n drafts decided</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) checked</source>
        <translation>
            <numerusform>%n email checked</numerusform>
            <numerusform>%n emails checked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComposePage</name>
    <message numerus="yes">
        <source>Sending in %n second(s).</source>
        <translation>
            <numerusform>Sending in %n second.</numerusform>
            <numerusform>Sending in %n seconds.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContactCard</name>
    <message numerus="yes">
        <source>%n sent</source>
        <translation>
            <numerusform>%n sent</numerusform>
            <numerusform>%n sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) received</source>
        <translation>
            <numerusform>%n email received</numerusform>
            <numerusform>%n emails received</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Decisions</name>
    <message numerus="yes">
        <source>Approved. Adding the meeting in %n second(s).</source>
        <translation>
            <numerusform>Approved. Adding the meeting in %n second.</numerusform>
            <numerusform>Approved. Adding the meeting in %n seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Approved. Sending in %n second(s).</source>
        <translation>
            <numerusform>Approved. Sending in %n second.</numerusform>
            <numerusform>Approved. Sending in %n seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) dismissed.</source>
        <translation>
            <numerusform>%n item dismissed.</numerusform>
            <numerusform>%n items dismissed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DraftCard</name>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n word</numerusform>
            <numerusform>%n words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n blank(s) left: fill in or delete “%1” first.</source>
        <translation>
            <numerusform>%n blank left: fill in or delete “%1” first.</numerusform>
            <numerusform>%n blanks left: fill in or delete “%1” first.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FlagBar</name>
    <message numerus="yes">
        <source>%n note(s):</source>
        <translation>
            <numerusform>%n note:</numerusform>
            <numerusform>%n notes:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FocusMode</name>
    <message numerus="yes">
        <source>%n left</source>
        <translation>
            <numerusform>%n left</numerusform>
            <numerusform>%n left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InvitationCard</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LetterFiles</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MailCommandOffer</name>
    <message numerus="yes">
        <source>Archive %n conversation(s)?</source>
        <translation>
            <numerusform>Archive %n conversation?</numerusform>
            <numerusform>Archive %n conversations?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n conversation(s) to trash?</source>
        <translation>
            <numerusform>Move %n conversation to trash?</numerusform>
            <numerusform>Move %n conversations to trash?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mark %n conversation(s) as read?</source>
        <translation>
            <numerusform>Mark %n conversation as read?</numerusform>
            <numerusform>Mark %n conversations as read?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Star %n conversation(s)?</source>
        <translation>
            <numerusform>Star %n conversation?</numerusform>
            <numerusform>Star %n conversations?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) archived</source>
        <translation>
            <numerusform>%n conversation archived</numerusform>
            <numerusform>%n conversations archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) moved to trash</source>
        <translation>
            <numerusform>%n conversation moved to trash</numerusform>
            <numerusform>%n conversations moved to trash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) marked as read</source>
        <translation>
            <numerusform>%n conversation marked as read</numerusform>
            <numerusform>%n conversations marked as read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) starred</source>
        <translation>
            <numerusform>%n conversation starred</numerusform>
            <numerusform>%n conversations starred</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MailPage</name>
    <message numerus="yes">
        <source>%n conversation(s)</source>
        <translation>
            <numerusform>%n conversation</numerusform>
            <numerusform>%n conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read newsletter(s) selected. Check them, then archive them all.</source>
        <translation>
            <numerusform>%n read newsletter selected. Check it, then archive it.</numerusform>
            <numerusform>%n read newsletters selected. Check them, then archive them all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MeetingCard</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageHeader</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelSection</name>
    <message numerus="yes">
        <source>%n model(s). The first ones are recommended.</source>
        <translation>
            <numerusform>%n model. The first ones are recommended.</numerusform>
            <numerusform>%n models. The first ones are recommended.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) on this computer.</source>
        <translation>
            <numerusform>%n model on this computer.</numerusform>
            <numerusform>%n models on this computer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutboxPage</name>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation>
            <numerusform>%n attempt</numerusform>
            <numerusform>%n attempts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreviewScreen</name>
    <message numerus="yes">
        <source>the last %n day(s)</source>
        <translation>
            <numerusform>the last %n day</numerusform>
            <numerusform>the last %n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n draft(s)</source>
        <translation>
            <numerusform>about %n draft</numerusform>
            <numerusform>about %n drafts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) to check</source>
        <translation>
            <numerusform>%n email to check</numerusform>
            <numerusform>%n emails to check</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProfileEditor</name>
    <message numerus="yes">
        <source>turn(s) for an email</source>
        <translation>
            <numerusform>turn for an email</numerusform>
            <numerusform>turns for an email</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>token(s) for an answer</source>
        <translation>
            <numerusform>token for an answer</numerusform>
            <numerusform>tokens for an answer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProfilesSection</name>
    <message numerus="yes">
        <source>The profile “%1” and its %n rule(s) were deleted.</source>
        <translation>
            <numerusform>The profile “%1” and its %n rule were deleted.</numerusform>
            <numerusform>The profile “%1” and its %n rules were deleted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProviderCards</name>
    <message numerus="yes">
        <source>Running, %n model(s)</source>
        <translation>
            <numerusform>Running, %n model</numerusform>
            <numerusform>Running, %n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuitPrompt</name>
    <message numerus="yes">
        <source>%n approved email(s) not sent yet.</source>
        <translation>
            <numerusform>%n approved email isn&apos;t sent yet.</numerusform>
            <numerusform>%n approved emails aren&apos;t sent yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RemoteImagesBar</name>
    <message numerus="yes">
        <source>Images are off: %n remote image(s) not loaded</source>
        <translation>
            <numerusform>Images are off: %n remote image not loaded</numerusform>
            <numerusform>Images are off: %n remote images not loaded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewList</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message numerus="yes">
        <source>%n item(s) selected. Click one item to work on it alone.</source>
        <translation>
            <numerusform>%n item selected. Click one item to work on it alone.</numerusform>
            <numerusform>%n items selected. Click one item to work on it alone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RuleEditor</name>
    <message numerus="yes">
        <source>Also apply to %n message(s) already here</source>
        <translation>
            <numerusform>Also apply to %n message already here</numerusform>
            <numerusform>Also apply to %n messages already here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RulesSection</name>
    <message numerus="yes">
        <source>%n message(s) changed by the rule “%1”</source>
        <translation>
            <numerusform>%n message changed by the rule “%1”</numerusform>
            <numerusform>%n messages changed by the rule “%1”</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunDetail</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SentData</name>
    <message numerus="yes">
        <source>%n requests</source>
        <translation>
            <numerusform>%n request</numerusform>
            <numerusform>%n requests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>words of %n people</source>
        <translation>
            <numerusform>words of %n person</numerusform>
            <numerusform>words of %n people</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SentDialog</name>
    <message numerus="yes">
        <source>(%n message(s))</source>
        <translation>
            <numerusform>(%n message)</numerusform>
            <numerusform>(%n messages)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingTexts</name>
    <message numerus="yes">
        <source>day(s)</source>
        <translation>
            <numerusform>day</numerusform>
            <numerusform>days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>call(s)</source>
        <translation>
            <numerusform>call</numerusform>
            <numerusform>calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>draft(s)</source>
        <translation>
            <numerusform>draft</numerusform>
            <numerusform>drafts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>second(s)</source>
        <translation>
            <numerusform>second</numerusform>
            <numerusform>seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message numerus="yes">
        <source>%n conflict(s): change one of each pair.</source>
        <translation>
            <numerusform>%n conflict: change one of the pair.</numerusform>
            <numerusform>%n conflicts: change one of each pair.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SimilarResults</name>
    <message numerus="yes">
        <source>%n related email(s) below.</source>
        <translation>
            <numerusform>%n related email below.</numerusform>
            <numerusform>%n related emails below.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No mail has all the words. %n similar.</source>
        <translation>
            <numerusform>No mail has all the words. %n similar.</numerusform>
            <numerusform>No mail has all the words. %n similar.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>about %n minute left</numerusform>
            <numerusform>about %n minutes left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) today</source>
        <translation>
            <numerusform>%n call today</numerusform>
            <numerusform>%n calls today</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reconnecting in %n second(s). Nothing you decided is lost.</source>
        <translation>
            <numerusform>Reconnecting in %n second. Nothing you decided is lost.</numerusform>
            <numerusform>Reconnecting in %n seconds. Nothing you decided is lost.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Checking %n email(s)</source>
        <translation>
            <numerusform>Checking %n email</numerusform>
            <numerusform>Checking %n emails</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n email(s) waiting</source>
        <translation>
            <numerusform>%n email waiting</numerusform>
            <numerusform>%n emails waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sending</source>
        <translation>
            <numerusform>%n waiting in the Outbox</numerusform>
            <numerusform>%n waiting in the Outbox</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) attention</source>
        <translation>
            <numerusform>%n needs attention</numerusform>
            <numerusform>%n need attention</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SubscriptionsPage</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SyncScreen</name>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>about %n minute left</numerusform>
            <numerusform>about %n minutes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadActions</name>
    <message numerus="yes">
        <source>%n conversation(s) archived</source>
        <translation>
            <numerusform>%n conversation archived</numerusform>
            <numerusform>%n conversations archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) moved to the inbox</source>
        <translation>
            <numerusform>%n conversation moved to the inbox</numerusform>
            <numerusform>%n conversations moved to the inbox</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) moved to trash</source>
        <translation>
            <numerusform>%n conversation moved to trash</numerusform>
            <numerusform>%n conversations moved to trash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) marked as spam</source>
        <translation>
            <numerusform>%n conversation marked as spam</numerusform>
            <numerusform>%n conversations marked as spam</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TodayPage</name>
    <message numerus="yes">
        <source>%n item(s) to review</source>
        <translation>
            <numerusform>%n item to review</numerusform>
            <numerusform>%n items to review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) need a reply</source>
        <translation>
            <numerusform>%n conversation needs a reply</numerusform>
            <numerusform>%n conversations need a reply</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) need your attention</source>
        <translation>
            <numerusform>%n message needs your attention</numerusform>
            <numerusform>%n messages need your attention</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) sorted</source>
        <translation>
            <numerusform>%n message sorted</numerusform>
            <numerusform>%n messages sorted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) approved</source>
        <translation>
            <numerusform>%n draft approved</numerusform>
            <numerusform>%n drafts approved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rejected</source>
        <translation>
            <numerusform>%n rejected</numerusform>
            <numerusform>%n rejected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingPage</name>
    <message numerus="yes">
        <source>%n working day(s)</source>
        <translation>
            <numerusform>%n working day</numerusform>
            <numerusform>%n working days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message numerus="yes">
        <source>%n source(s)</source>
        <translation>
            <numerusform>%n source</numerusform>
            <numerusform>%n sources</numerusform>
        </translation>
    </message>
</context>
</TS>
