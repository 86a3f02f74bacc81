package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RoomDiscoveryTest {
  private static final String STRANGER = "hag@example.org/pda";

  private final TestRoom test = new TestRoom();

  RoomDiscoveryTest() {
    new RoomDiscovery(
            test.context.stores().rooms(),
            Jid.of("rooms.example.org"),
            "Rooms",
            test.table,
            new RoomCommands(test.context.ids()))
        .install();
    Message subject =
        Message.of(
            Message.Type.GROUPCHAT,
            TestRoom.JID,
            null,
            null,
            List.of(Element.text(MucNames.SUBJECT, "Spells")));
    test.room().setSubject(new Subject(subject, Instant.EPOCH));
  }

  private IqReply info(String from) {
    return test.ask(
        from,
        TestXml.iq(
            "<iq type='get' id='i'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>"));
  }

  private List<String> fields(String from) {
    Element info = Objects.requireNonNull(((IqReply.Result) info(from)).payload());
    DataForm form = DataForm.of(info.child(DataForm.X));
    return form == null ? List.of() : List.copyOf(form.fields().keySet());
  }

  @Test
  void anOpenRoomDisclosesItsSubject() {
    assertThat(fields(STRANGER)).contains("muc#roominfo_subject", "muc#roominfo_occupants");
  }

  @Test
  void aPublicRoomDisclosesOnlyItsConfigurationToUsersWhoMayNotEnter() {
    test.configure(form ->
        form.bool("muc#roomconfig_publicroom", "", true)
            .bool("muc#roomconfig_membersonly", "", true));
    assertThat(fields(STRANGER))
        .contains("muc#roominfo_subjectmod")
        .doesNotContain("muc#roominfo_subject", "muc#roominfo_occupants");
    test.room()
        .applyAffiliations(
            List.of(
                new AffiliationChange(Jid.of(STRANGER).bare(), Affiliation.MEMBER, null, null)));
    assertThat(fields(STRANGER)).contains("muc#roominfo_subject", "muc#roominfo_occupants");
  }

  @Test
  void aHiddenRoomDisclosesNothingToUsersWhoMayNotEnter() {
    test.configure(form ->
        form.bool("muc#roomconfig_publicroom", "", false)
            .bool("muc#roomconfig_passwordprotectedroom", "", true)
            .text("muc#roomconfig_roomsecret", "", "cauldronburn"));
    assertThat(fields(STRANGER)).isEmpty();
    test.enter(STRANGER, "thirdwitch");
    assertThat(fields(STRANGER)).contains("muc#roominfo_subject");
  }

  @Test
  void aBannedUserLearnsNoSubject() {
    test.room()
        .applyAffiliations(
            List.of(
                new AffiliationChange(Jid.of(STRANGER).bare(), Affiliation.OUTCAST, null, null)));
    assertThat(fields(STRANGER)).doesNotContain("muc#roominfo_subject");
  }

  @Test
  void aRoomWithoutANodeNamesNoSpace() {
    String node = "xmpp:pubsub.example.org?;node=coven";
    test.configure(form -> form.text("muc#roomconfig_pubsub", "", node));
    assertThat(info(STRANGER).toString()).contains("urn:xmpp:spaces:0", node);
    test.configure(form -> form.text("muc#roomconfig_pubsub", "", ""));
    assertThat(info(STRANGER).toString()).doesNotContain("urn:xmpp:spaces:0");
  }

  private int items(String from) {
    String items =
        "<iq type='get' id='i'><query xmlns='http://jabber.org/protocol/disco#items'/></iq>";
    IqReply.Result reply = (IqReply.Result) test.ask(from, TestXml.iq(items));
    return Objects.requireNonNull(reply.payload()).children().size();
  }

  private Occupant announced(String session, String nick) {
    Occupant occupant = test.enter(session, nick);
    occupant.setAnnounced(true);
    return occupant;
  }

  @Test
  void aPublicRoomDisclosesItsOccupantsToUsersWhoMayEnter() {
    test.configure(form -> form.bool("muc#roomconfig_publicroom", "", true));
    announced("crone@example.org/desktop", "firstwitch");
    announced("hecate@example.org/broom", "secondwitch").setAnnounced(false);
    assertThat(items(STRANGER)).as("only those whom all are told of").isEqualTo(1);
    assertThat(items("crone@example.org/desktop")).isEqualTo(2);
    test.room()
        .applyAffiliations(
            List.of(
                new AffiliationChange(Jid.of(STRANGER).bare(), Affiliation.OUTCAST, null, null)));
    assertThat(items(STRANGER)).isZero();
  }

  /// Reliability row 72.
  @Test
  void row72_occupantsAreNotDisclosedToUsersWhoMayNotEnterOrFindTheRoom() {
    announced("crone@example.org/desktop", "firstwitch");
    test.configure(form ->
        form.bool("muc#roomconfig_publicroom", "", true)
            .bool("muc#roomconfig_membersonly", "", true));
    assertThat(items(STRANGER)).isZero();
    assertThat(items("crone@example.org/desktop")).isEqualTo(1);
    test.configure(form ->
        form.bool("muc#roomconfig_membersonly", "", false)
            .bool("muc#roomconfig_publicroom", "", false));
    assertThat(items(STRANGER)).isZero();
    assertThat(items("crone@example.org/desktop")).isEqualTo(1);
  }

  @Test
  void aReservedNicknameIsDisclosedToItsHolder() {
    test.room()
        .applyAffiliations(
            List.of(
                new AffiliationChange(
                    Jid.of(STRANGER).bare(), Affiliation.MEMBER, "thirdwitch", null)));
    IqReply.Result reply =
        (IqReply.Result)
            test.ask(
                STRANGER,
                TestXml.iq(
                    "<iq type='get' id='i'><query xmlns='http://jabber.org/protocol/disco#info'"
                        + " node='x-roomuser-item'/></iq>"));
    Element identity = Objects.requireNonNull(reply.payload()).children().getFirst();
    assertThat(identity.attribute("name")).isEqualTo("thirdwitch");
  }

  @Test
  void anUnknownPositionInTheListOfOccupantsIsAnError() {
    test.enter("crone@example.org/desktop", "firstwitch");
    IqReply reply =
        test.ask(
            "crone@example.org/desktop",
            TestXml.iq(
                "<iq type='get' id='i'><query xmlns='http://jabber.org/protocol/disco#items'>"
                    + "<set xmlns='http://jabber.org/protocol/rsm'><after>gone</after></set>"
                    + "</query></iq>"));
    assertThat(reply).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }
}
