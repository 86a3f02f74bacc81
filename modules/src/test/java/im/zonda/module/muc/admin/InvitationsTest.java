package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InvitationsTest {
  private static final String CRONE = "crone@example.org/desktop";

  private final TestRoom test = new TestRoom();

  @BeforeEach
  void enter() {
    new Invitations(test.context, () -> test.settings, test.repository).install(test.table);
    test.enter(CRONE, "firstwitch");
  }

  private static Message invite(String... to) {
    StringBuilder xml =
        new StringBuilder("<message id='i'><x xmlns='http://jabber.org/protocol/muc#user'>");
    for (String each : to) {
      xml.append("<invite to='").append(each).append("'/>");
    }
    return TestXml.message(xml + "</x></message>");
  }

  private List<Stanza> errors() {
    return test.context.takeSent().stream().filter(Stanza::isError).toList();
  }

  /// Reliability row 75.
  @Test
  void row75_eachInvitationCountsAsAMessage() {
    int most = test.settings.messageRate();
    for (int i = 0; i < most; i++) {
      test.send(CRONE, invite("hag" + i + "@example.org"));
    }
    assertThat(errors()).isEmpty();
    test.send(CRONE, invite("hecate@example.org"));
    assertThat(test.context.takeSent())
        .singleElement()
        .satisfies(only -> assertThat(only.toString()).contains("policy-violation"));
  }

  /// Reliability row 75.
  @Test
  void row75_whoEntersAgainHasSentWhatItHasSent() {
    String other = "crone@example.org/pda";
    test.enter(other, "firstwitch");
    int most = test.settings.messageRate();
    for (int i = 0; i < most; i++) {
      test.send(CRONE, invite("hag" + i + "@example.org"));
    }
    test.send(other, invite("hag@example.org"));
    assertThat(errors()).isEmpty();
    // Two sessions that leave do not get two new rates.
    test.room().leave(Jid.of(CRONE));
    test.room().leave(Jid.of(other));
    test.enter(CRONE, "firstwitch");
    test.enter(other, "firstwitch");
    test.send(CRONE, invite("hecate@example.org"));
    test.send(other, invite("hecate@example.org"));
    assertThat(errors()).hasSize(2);
    test.enter("hag@example.org/pda", "thirdwitch");
    test.send("hag@example.org/pda", invite("hecate@example.org"));
    test.context.clock().advance(Duration.ofSeconds(10));
    test.send(CRONE, invite("hecate@example.org"));
    assertThat(errors()).isEmpty();
  }

  @Test
  void oneInvalidInviteeRejectsTheInvitation() {
    test.room()
        .applyAffiliations(
            List.of(
                new AffiliationChange(
                    Jid.of("hecate@example.org"), Affiliation.OUTCAST, null, null)));
    test.send(CRONE, invite("hag@example.org", "hecate@example.org"));
    assertThat(test.context.takeSent())
        .singleElement()
        .satisfies(only -> assertThat(only.toString()).contains("not-allowed"));
    test.send(CRONE, invite("hag@example.org", "not an address@"));
    assertThat(test.context.takeSent())
        .singleElement()
        .satisfies(only -> assertThat(only.toString()).contains("jid-malformed"));
  }

  @Test
  void onlyAdminsInviteWhereOccupantsMayNot() {
    test.configure(form -> form.bool("muc#roomconfig_allowinvites", "", false));
    test.enter("hag@example.org/pda", "thirdwitch");
    test.send("hag@example.org/pda", invite("hecate@example.org"));
    assertThat(errors()).hasSize(1);
    test.send(CRONE, invite("hecate@example.org"));
    assertThat(errors()).isEmpty();
  }

  @Test
  void aMemberThatCannotBeStoredIsNotInvited() {
    test.configure(form -> form.bool("muc#roomconfig_membersonly", "", true));
    test.context.stores().fail(StoreException.Category.UNAVAILABLE);
    assertThatThrownBy(() -> test.send(CRONE, invite("hag@example.org")))
        .isInstanceOf(StoreException.class);
    assertThat(test.context.takeSent()).isEmpty();
    assertThat(test.room().affiliationOf(Jid.of("hag@example.org"))).isEqualTo(Affiliation.NONE);
  }

  /// Reliability row 81.
  @Test
  void row81_anUnexpectedErrorIsIgnored() {
    Message error =
        TestXml.message(
            "<message type='error' id='x'><x xmlns='http://jabber.org/protocol/muc#user'>"
                + "<invite to='hag@example.org'/></x></message>");
    assertThat(test.send(CRONE, error)).isFalse();
    assertThat(test.context.takeSent()).isEmpty();
  }
}
