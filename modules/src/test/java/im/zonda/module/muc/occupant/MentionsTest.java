package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import java.util.List;
import org.junit.jupiter.api.Test;

class MentionsTest {
  private static final Jid CRONE = Jid.of("crone@example.org/desktop");
  private static final Jid HAG = Jid.of("hag@example.org");

  private final TestRoom test = new TestRoom();
  private final Mentions mentions = new Mentions(test.context);

  private void register(Jid user, Affiliation affiliation, String nick) {
    test.room().applyAffiliations(List.of(new AffiliationChange(user, affiliation, nick, null)));
  }

  private void say(String... uris) {
    StringBuilder references = new StringBuilder();
    for (String uri : uris) {
      references
          .append("<reference xmlns='urn:xmpp:reference:0' type='mention' begin='0' end='3' uri='")
          .append(uri)
          .append("'/>");
    }
    Message message =
        TestXml.message(
            "<message type='groupchat' id='m1'><body>hag: see</body>" + references + "</message>");
    mentions.notifyMentioned(
        test.live(),
        CRONE,
        1_000_000,
        message.withAddresses(TestRoom.JID.withResource("firstwitch"), null),
        Envelope.of(message));
  }

  private void wanted(boolean wanted) {
    test.configure(form -> form.bool("muc#roomconfig_forwardmentions", "", wanted));
  }

  @Test
  void absentUsersAreNotified() {
    wanted(true);
    register(HAG, Affiliation.MEMBER, "hag");
    say("xmpp:hag@example.org", "xmpp:hag@example.org/pda");
    Expect.sent(
        test.context,
        "<message from='coven@rooms.example.org' to='hag@example.org' id='{any}'>"
            + "<mentions xmlns='urn:xmpp:mmn:0'><forwarded xmlns='urn:xmpp:forward:0'>"
            + "<delay xmlns='urn:xmpp:delay' stamp='1970-01-01T00:00:01.000Z'/>"
            + "<message xmlns='jabber:client' type='groupchat' id='m1'"
            + " from='coven@rooms.example.org/firstwitch' to='coven@rooms.example.org'>"
            + "<body>hag: see</body>"
            + "<reference xmlns='urn:xmpp:reference:0' type='mention' begin='0' end='3'"
            + " uri='xmpp:hag@example.org'/>"
            + "<reference xmlns='urn:xmpp:reference:0' type='mention' begin='0' end='3'"
            + " uri='xmpp:hag@example.org/pda'/>"
            + "</message></forwarded></mentions></message>");
  }

  @Test
  void aNicknameStandsForItsHolder() {
    wanted(true);
    register(HAG, Affiliation.MEMBER, "old hag");
    say("xmpp:coven@rooms.example.org/Old%20Hag");
    assertThat(test.context.takeSent())
        .singleElement()
        .satisfies(only -> assertThat(only.to()).isEqualTo(HAG));
  }

  @Test
  void otherUsersAreNotNotified() {
    wanted(true);
    register(Jid.of("guest@example.org"), Affiliation.OUTCAST, "guest");
    test.room()
        .applyAffiliations(
            List.of(
                new AffiliationChange(
                    Jid.of("nameless@example.org"), Affiliation.MEMBER, null, null)));
    register(HAG, Affiliation.MEMBER, "hag");
    test.enter("hag@example.org/pda", "hag");
    say(
        "xmpp:guest@example.org",
        "xmpp:nameless@example.org",
        "xmpp:stranger@example.org",
        "xmpp:hag@example.org",
        "xmpp:@@",
        "http://example.org/hag");
    assertThat(test.context.takeSent()).isEmpty();
  }

  @Test
  void aRoomNotConfiguredForItNotifiesNobody() {
    wanted(false);
    register(HAG, Affiliation.MEMBER, "hag");
    say("xmpp:hag@example.org");
    assertThat(test.context.takeSent()).isEmpty();
  }

  /// Reliability row 75.
  @Test
  void row75_oneMessageNotifiesAtMostTenUsers() {
    wanted(true);
    String[] uris = new String[20];
    for (int i = 0; i < 20; i++) {
      register(Jid.of("u" + i + "@example.org"), Affiliation.MEMBER, "u" + i);
      uris[i] = "xmpp:u" + i + "@example.org";
    }
    say(uris);
    assertThat(test.context.takeSent()).hasSize(10);
  }
}
