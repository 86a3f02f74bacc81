package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoomRegistrationTest {
  private final TestRoom test = new TestRoom();

  @BeforeEach
  void install() {
    RoomBroadcast broadcast = new RoomBroadcast(test.context, () -> 0);
    RoomExit exit =
        new RoomExit(
            test.context,
            broadcast,
            test.repository,
            () -> {
              throw new AssertionError("the room ends");
            });
    new RoomRegistration(
            test.context,
            () -> test.settings,
            new PrivilegeChanges(test.context, broadcast, test.repository, exit))
        .install(test.table);
    test.enter("crone@example.org/desktop", "firstwitch");
  }

  private IqReply register(String from, String nick) {
    return test.ask(
        from,
        TestXml.iq(
            "<iq type='set' id='r'><query xmlns='jabber:iq:register'>"
                + "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
                + RoomRegistration.KIND
                + "</value></field><field var='muc#register_roomnick'><value>"
                + nick
                + "</value></field></x></query></iq>"));
  }

  private static void assertRefused(IqReply reply, ErrorCondition condition) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refused -> assertThat(refused.error().condition()).isEqualTo(condition));
  }

  @Test
  void row75_registrationIsRateLimited() {
    for (int i = 0; i < 10 * test.settings.presenceRate(); i++) {
      assertThat(register("hag@example.org/pda", "hag" + i)).isEqualTo(IqReply.later());
    }
    assertRefused(register("hag@example.org/pda", "hag"), ErrorCondition.POLICY_VIOLATION);
    assertThat(register("hecate@example.org/broom", "hecate")).isEqualTo(IqReply.later());
  }

  @Test
  void aQuarterOfTheEntriesIsReservedForAdmins() {
    int most = test.settings.affiliations() * 3 / 4;
    Affiliations all = test.room().affiliations();
    for (int i = all.size(); i < most; i++) {
      all.set(Jid.of("user" + i + "@example.org"), Affiliation.MEMBER, null, null);
    }
    assertRefused(register("hag@example.org/pda", "hag"), ErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(register("user1@example.org/x", "one")).isEqualTo(IqReply.later());
  }

  @Test
  void pendingRequestsDoNotKeepOthersFromAsking() {
    test.configure(form -> form.bool("muc#roomconfig_membersonly", "", true));
    for (int i = 0; i < 1_000; i++) {
      assertThat(register("user" + i + "@example.org/x", "user" + i)).isEqualTo(IqReply.empty());
    }
    assertThat(test.context.takeSent()).hasSize(1_000);
    assertThat(register("hag@example.org/pda", "hag")).isEqualTo(IqReply.empty());
    assertThat(test.context.takeSent()).hasSize(1);
    // Admins receive each request once while it is among the latest.
    assertThat(register("hag@example.org/pda", "hag")).isEqualTo(IqReply.empty());
    assertThat(register("user999@example.org/x", "user999")).isEqualTo(IqReply.empty());
    assertThat(test.context.takeSent()).isEmpty();
    assertThat(register("user0@example.org/x", "user0")).isEqualTo(IqReply.empty());
    assertThat(test.context.takeSent()).hasSize(1);
  }

  /// Otherwise anyone would become a member of a room without knowing its password.
  @Test
  void aRoomWithAPasswordRegistersOccupantsAndAsksItsAdminsAboutOthers() {
    test.enter("hecate@example.org/broom", "hecate");
    test.configure(form ->
        form.bool("muc#roomconfig_passwordprotectedroom", "", true)
            .text("muc#roomconfig_roomsecret", "", "cauldronburn"));
    assertThat(register("hag@example.org/pda", "hag")).isEqualTo(IqReply.empty());
    assertThat(test.room().affiliationOf(Jid.of("hag@example.org"))).isEqualTo(Affiliation.NONE);
    assertThat(test.context.takeSent()).hasSize(1);
    assertThat(register("hecate@example.org/broom", "hecate")).isEqualTo(IqReply.later());
    assertThat(test.room().affiliationOf(Jid.of("hecate@example.org")))
        .isEqualTo(Affiliation.MEMBER);
  }

  @Test
  void aMemberOfARoomWithAPasswordChangesItsNickname() {
    test.room().affiliations().set(Jid.of("hag@example.org"), Affiliation.MEMBER, "hag", null);
    test.configure(form ->
        form.bool("muc#roomconfig_passwordprotectedroom", "", true)
            .text("muc#roomconfig_roomsecret", "", "cauldronburn"));
    assertThat(register("hag@example.org/pda", "witch")).isEqualTo(IqReply.later());
  }
}
