package im.zonda.module.push;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Services.Push.Content;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushModuleTest extends PushStage {
  @Test
  void accountsAdvertiseIt() {
    assertThat(context.host().accountFeatures()).contains("urn:xmpp:push:0");
  }

  @Test
  void aClientWithoutASessionIsNotified() {
    enable(NODE);
    context.end(phone);
    waits("Wherefore art thou, Romeo?");
    pushes(1);
  }

  @Test
  void publishOptionsArePassedOn() {
    assertThat(ask(phone, ENABLE.formatted(SERVICE, NODE, OPTIONS))).isEqualTo(IqReply.empty());
    context.end(phone);
    waits("hi");
    Expect.sent(
        context,
        notification(NODE, count(1), "<publish-options>" + OPTIONS + "</publish-options>"));
  }

  @ParameterizedTest
  @CsvSource({"NONE,0", "COUNT,1", "SENDER,2", "BODY,3"})
  void theSettingSaysWhatTheServiceLearns(Content content, int fields) {
    start(content, 10, 20);
    enable(NODE);
    context.end(phone);
    waits("Wherefore art thou, Romeo?");
    List<String> all =
        List.of(
            count(1),
            "<field var='last-message-sender' type='jid-single'>"
                + "<value>juliet@capulet.example/balcony</value></field>",
            "<field var='last-message-body' type='text-single'>"
                + "<value>Wherefore art thou, Romeo?</value></field>");
    Expect.sent(context, notification(NODE, String.join("", all.subList(0, fields)), ""));
  }

  @Test
  void theBodyOfAnEncryptedMessageIsNotPublishedAndALongOneIsCut() {
    start(Content.BODY, 10, 20);
    enable(NODE);
    context.end(phone);
    delivered(
        TestXml.message(
            "<message from='a@b' to='user@example.org' type='chat'><body>no OMEMO</body>"
                + "<encrypted xmlns='urn:xmpp:omemo:2'><payload/></encrypted></message>"));
    assertThat(context.sent().getFirst().toElement().toString()).doesNotContain("no OMEMO");
    assertThat(answers(sentId(), "result", "")).isTrue();
    waits("x".repeat(1_023) + "\uD83D\uDE00 end");
    assertThat(context.sent().getFirst().toElement().toString())
        .contains(">" + "x".repeat(1_023) + "<");
  }

  @Test
  void aClientThatIsAwakeIsNotNotifiedAndOneThatSleepsIs() {
    enable(NODE);
    delivered(message("one"), phone);
    assertThat(context.sent()).isEmpty();
    context.host().asleep(home(), phone, List.of());
    assertThat(context.sent()).isEmpty();
    delivered(message("two"), phone);
    pushes(1);
    phone.asleep(false);
    delivered(message("three"), phone);
    assertThat(context.sent()).isEmpty();
  }

  @Test
  void eachClientIsJudgedOnItsOwn() {
    enable(NODE);
    context.end(phone);
    TestSession desktop = context.bind("user@example.org/desktop");
    delivered(message("the archive has it"), desktop);
    pushes(1);
    delivered(
        TestXml.message(
            "<message type='groupchat' from='coven@rooms.example.org/hag'"
                + " to='user@example.org/desktop'><body>for the desktop</body></message>"),
        desktop);
    assertThat(context.sent()).isEmpty();
  }

  @Test
  void roomsCountForASleepingSessionExceptForOnesOwnWords() {
    enable(NODE);
    context.fromClient(
        phone,
        TestXml.message(
            "<message type='groupchat' to='coven@rooms.example.org' id='own'><body>I</body></message>"));
    context.takeSent();
    context.host().asleep(home(), phone, List.of());
    String from =
        "<message type='groupchat' from='coven@rooms.example.org/hag' id='%s'"
            + " to='user@example.org/mobile'><body>Double, double</body></message>";
    delivered(TestXml.message(from.formatted("own")), phone);
    assertThat(context.sent()).isEmpty();
    delivered(TestXml.message(from.formatted("other")), phone);
    pushes(1);
  }

  @Test
  void ownMessagesDoNotCount() {
    enable(NODE);
    context.end(phone);
    delivered(
        TestXml.message(
            "<message from='user@example.org/desktop' to='user@example.org' type='chat'>"
                + "<body>note</body></message>"));
    assertThat(context.sent()).isEmpty();
  }

  @Test
  void whatALostStreamMayHaveLostIsAnnouncedOnce() {
    enable(NODE);
    context.host().asleep(home(), phone, List.of(message("one"), message("two")));
    pushes(2);
  }

  @Test
  void disablingANodeLeavesTheOthers() {
    enable(NODE);
    enable("other");
    String disable = "<iq type='set' id='d'><disable xmlns='urn:xmpp:push:0' jid='%s'%s/></iq>";
    assertThat(ask(phone, disable.formatted(SERVICE, " node='other'"))).isEqualTo(IqReply.empty());
    context.end(phone);
    waits("hi");
    pushes(1);
    phone = context.bind("user@example.org/mobile");
    enable("other");
    assertThat(ask(phone, disable.formatted(SERVICE, ""))).isEqualTo(IqReply.empty());
    context.end(phone);
    waits("hi");
    assertThat(context.sent()).isEmpty();
    assertThat(context.stores().keyValues("push").all(home().jid())).isEmpty();
  }

  @Test
  void registrationsOutliveTheHome() {
    assertThat(ask(phone, ENABLE.formatted(SERVICE, NODE, OPTIONS))).isEqualTo(IqReply.empty());
    context.end(phone);
    home().unload();
    waits("hi");
    Expect.sent(
        context,
        notification(NODE, count(1), "<publish-options>" + OPTIONS + "</publish-options>"));
  }

  @Test
  void aDamagedRegistrationIsSkipped() {
    enable(NODE);
    context.stores().keyValues("push").put(home().jid(), "bad", new byte[] {'<'});
    home().unload();
    context.end(phone);
    waits("hi");
    pushes(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<enable xmlns='urn:xmpp:push:0' node='n'/>",
        "<disable xmlns='urn:xmpp:push:0' node='n'/>",
        "<enable xmlns='urn:xmpp:push:0' jid='a.example' node='n'>"
            + "<x xmlns='jabber:x:data' type='form'/></enable>",
        "<enable xmlns='urn:xmpp:push:0' jid='a.example' node='n'><x xmlns='jabber:x:data'"
            + " type='submit'><field var='FORM_TYPE'><value>other</value></field></x></enable>"
      })
  void aWrongRequestIsRejected(String payload) {
    refuses(payload, ErrorCondition.BAD_REQUEST);
  }

  @Test
  void anAddressThatIsNoneIsRejected() {
    refuses("<enable xmlns='urn:xmpp:push:0' jid='@' node='n'/>", ErrorCondition.JID_MALFORMED);
    refuses("<disable xmlns='urn:xmpp:push:0' jid='@'/>", ErrorCondition.JID_MALFORMED);
  }

  @Test
  void anotherAccountsServicesCannotBeChanged() {
    TestSession mallory = context.bind("mallory@example.org/x");
    IqReply reply =
        ask(
            mallory,
            "<iq type='set' id='w' to='user@example.org'>"
                + "<enable xmlns='urn:xmpp:push:0' jid='evil.example' node='n'/></iq>");
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
  }

  @Test
  void registrationsAreBounded() {
    start(Content.COUNT, 2, 20);
    enable("one");
    enable("two");
    refuses(
        "<enable xmlns='urn:xmpp:push:0' jid='push-5.client.example' node='three'/>",
        ErrorCondition.RESOURCE_CONSTRAINT);
    enable("two");
    String huge =
        OPTIONS.replace(
            "</x>", "<field var='y'><value>" + "y".repeat(5_000) + "</value></field></x>");
    refuses(
        "<enable xmlns='urn:xmpp:push:0' jid='push-5.client.example' node='two'>"
            + huge
            + "</enable>",
        ErrorCondition.POLICY_VIOLATION);
    refuses(
        "<enable xmlns='urn:xmpp:push:0' jid='push-5.client.example' node='two'>"
            + OPTIONS.replace("</x>", "<field var='z'/>".repeat(2_000) + "</x>")
            + "</enable>",
        ErrorCondition.BAD_REQUEST); // fields twice
    context.end(phone);
    waits("hi");
    Expect.sent(context, notification("one", count(1), ""), notification("two", count(1), ""));
  }
}
