package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.TestForms;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrivilegeChangesTest {
  private static final String CRONE = "crone@example.org/desktop";
  private static final String HAG = "hag@example.org/pda";
  private static final String HECATE = "hecate@example.org/broom";

  private final TestRoom test = new TestRoom();

  /// With more than two sessions, presence of ordinary occupants is sent to moderators only.
  private final RoomBroadcast broadcast = new RoomBroadcast(test.context, () -> 2);

  @BeforeEach
  void install() {
    RoomExit exit =
        new RoomExit(
            test.context,
            broadcast,
            test.repository,
            () -> {
              throw new AssertionError("the room ends");
            });
    PrivilegeChanges changes = new PrivilegeChanges(test.context, broadcast, test.repository, exit);
    new AdminRequests(test.context, () -> test.settings, changes).install(test.table);
    new OwnerRequests(test.context, () -> test.settings, test.repository, broadcast, exit, changes)
        .install(test.table);
    for (String session : List.of(CRONE, HAG, HECATE)) {
      String nick = Objects.requireNonNull(Jid.of(session).local());
      broadcast.sendAvailable(
          test.room(), test.enter(session, nick), List.of(), OccupantPresence.Event.NONE);
    }
    test.context.takeSent();
  }

  private IqReply admin(String... items) {
    return test.ask(
        CRONE,
        TestXml.iq(
            "<iq type='set' id='a'><query xmlns='"
                + MucNames.ADMIN
                + "'>"
                + String.join("", items)
                + "</query></iq>"));
  }

  private static String member(String user) {
    return "<item affiliation='member' jid='" + user + "'/>";
  }

  private IqReply submit(String... fields) {
    return test.ask(
        CRONE,
        Iq.of(
            Iq.Type.SET,
            null,
            null,
            "c",
            Element.builder(MucNames.OWNER, "query")
                .child(TestForms.form(fields).toElement())
                .build()));
  }

  @Test
  void row73_aBatchIsStoredOnce() {
    int before = test.context.stores().rooms().writes();
    admin(member("a@example.org"), member("b@example.org"), member("hag@example.org"));
    assertThat(test.context.stores().rooms().writes()).isEqualTo(before + 1);
    assertThat(test.room().affiliations().with(Affiliation.MEMBER)).hasSize(3);
  }

  @Test
  void row73_changesThatCannotBeStoredAreNotApplied() {
    test.context.stores().fail(StoreException.Category.UNAVAILABLE);
    assertThatThrownBy(() -> admin("<item affiliation='outcast' jid='hag@example.org'/>"))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(
            () -> submit("muc#roomconfig_membersonly", "1", "muc#roomconfig_roomadmins", "x@y"))
        .isInstanceOf(StoreException.class);
    assertThat(test.context.sent()).isEmpty();
    assertThat(test.room().occupants()).hasSize(3);
    assertThat(test.room().affiliations().size()).isEqualTo(1);
    assertThat(test.room().config().membersOnly()).isFalse();
  }

  @Test
  void configurationAndAffiliationsAreStoredTogether() {
    int before = test.context.stores().rooms().writes();
    submit("muc#roomconfig_membersonly", "1", "muc#roomconfig_roomadmins", "hag@example.org");
    assertThat(test.context.stores().rooms().writes()).isEqualTo(before + 1);
    assertThat(test.room().occupantByNick("hag")).isNotNull();
    assertThat(test.room().occupantByNick("hecate")).isNull();
  }

  @Test
  void rolesAreNotStored() {
    int before = test.context.stores().rooms().writes();
    admin("<item role='none' nick='hag'/>");
    assertThat(test.context.stores().rooms().writes()).isEqualTo(before);
    assertThat(test.room().occupantByNick("hag")).isNull();
  }

  @Test
  void itemsOfARequestAreLimited() {
    String[] items = new String[201];
    for (int i = 0; i < items.length; i++) {
      items[i] = member("user" + i + "@example.org");
    }
    assertThat(admin(items))
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refused ->
                assertThat(refused.error().condition()).isEqualTo(ErrorCondition.POLICY_VIOLATION));
    assertThat(test.room().affiliations().size()).isEqualTo(1);
  }

  @Test
  void moderatorsSeeOccupantsThatOthersDoNot() {
    assertThat(Objects.requireNonNull(test.room().occupantByNick("hecate")).isAnnounced())
        .isFalse();
    admin("<item role='moderator' nick='hag'/>");
    assertThat(toHag("hecate"))
        .singleElement()
        .satisfies(seen -> assertThat(((Presence) seen).type()).isEqualTo(Presence.Type.AVAILABLE))
        .satisfies(seen -> assertThat(seen.toString()).contains("hecate@example.org/broom"));
    admin("<item role='participant' nick='hag'/>");
    assertThat(toHag("hecate"))
        .singleElement()
        .satisfies(
            seen -> assertThat(((Presence) seen).type()).isEqualTo(Presence.Type.UNAVAILABLE));
  }

  @Test
  void occupantsAreNotInvited() {
    submit("muc#roomconfig_membersonly", "1", "muc#roomconfig_roomadmins", "hag@example.org");
    test.context.takeSent();
    admin(member("new@example.org"), member("example.net"));
    assertThat(
            test.context.takeSent().stream()
                .filter(stanza -> stanza.toString().contains("<invite"))
                .map(Stanza::to))
        .containsExactly(Jid.of("new@example.org"));
    admin(member("new@example.org"));
    Expect.sent(
        test.context, "<iq type='result' id='a' from='" + TestRoom.JID + "' to='" + CRONE + "'/>");
  }

  private List<Stanza> toHag(String from) {
    return test.context.takeSent().stream()
        .filter(stanza -> Jid.of(HAG).equals(stanza.to()))
        .filter(stanza -> TestRoom.JID.withResource(from).equals(stanza.from()))
        .toList();
  }
}
