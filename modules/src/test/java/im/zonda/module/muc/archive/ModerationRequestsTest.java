package im.zonda.module.muc.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestStanzaIds;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModerationRequestsTest {
  private static final TestStanzaIds IDS = new TestStanzaIds();
  private static final String SPAM =
      "<message type='groupchat' id='m1'><body>free magic potions</body></message>";

  private final TestContext context = new TestContext();
  private final RoomStage stage = new RoomStage(context);
  private final Occupant owner = stage.enter("owner@example.org/home", "owner");
  private final Occupant hag = stage.enter("hag@example.org/pda", "hag");

  private IqReply moderate(String from, long id) {
    return moderate(from, IDS.encode(id), "<retract xmlns='urn:xmpp:message-retract:1'/>");
  }

  private IqReply moderate(String from, String id, String action) {
    return stage.ask(
        from,
        "<iq type='set' id='r1'><moderate xmlns='urn:xmpp:message-moderate:1' id='"
            + id
            + "'>"
            + action
            + "</moderate></iq>");
  }

  private static void assertRefused(IqReply reply, ErrorCondition condition) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refused -> assertThat(refused.error().condition()).isEqualTo(condition));
  }

  @Test
  void allOccupantsAreNotified() {
    long id = stage.say(hag, SPAM);
    assertThat(moderate("owner@example.org/home", id)).isEqualTo(IqReply.empty());
    List<Stanza> sent = context.takeSent();
    assertThat(sent)
        .extracting(Stanza::to)
        .containsExactly(Jid.of("owner@example.org/home"), Jid.of("hag@example.org/pda"));
    assertThat(sent).extracting(Stanza::from).containsOnly(RoomStage.JID);
    assertThat(sent.getFirst().payload(MucNames.RETRACT))
        .isEqualTo(sent.getLast().payload(MucNames.RETRACT));
    assertThat(String.valueOf(stage.archived(id))).doesNotContain("potions");
    assertThat(String.valueOf(stage.remembered(id))).doesNotContain("potions");
    assertThat(context.stores().messages().entries(RoomStage.JID)).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void row74_onlyModeratorsMay(Role role) {
    long id = stage.say(owner, SPAM);
    stage.live.room().changeRole(hag, role);
    IqReply reply = moderate("hag@example.org/pda", id);
    if (role == Role.MODERATOR) {
      assertThat(reply).isEqualTo(IqReply.empty());
    } else {
      assertRefused(reply, ErrorCondition.FORBIDDEN);
      assertThat(String.valueOf(stage.archived(id))).contains("potions");
    }
  }

  @Test
  void anAbsentOwnerIsNotAModerator() {
    long id = stage.say(hag, SPAM);
    assertRefused(moderate("owner@example.org/other", id), ErrorCondition.FORBIDDEN);
  }

  @Test
  void aRepeatedRetractionIsAnnouncedAgain() {
    long id = stage.say(hag, SPAM);
    moderate("owner@example.org/home", id);
    context.takeSent();
    assertThat(moderate("owner@example.org/home", id)).isEqualTo(IqReply.empty());
    assertThat(context.takeSent()).hasSize(2);
    assertThat(String.valueOf(stage.archived(id))).containsOnlyOnce("<retracted");
  }

  @Test
  void messagesInTheHistoryOnlyCanBeRetracted() {
    stage.configure(Map.of("enablelogging", "0"));
    long id = stage.say(hag, SPAM);
    assertThat(moderate("owner@example.org/home", id)).isEqualTo(IqReply.empty());
    assertThat(String.valueOf(stage.remembered(id))).doesNotContain("potions");
    assertThat(context.takeSent()).hasSize(2);
    assertThat(context.stores().messages().entries(RoomStage.JID)).isEmpty();
  }

  @Test
  void messagesOfAnotherRoomAreNotFound() {
    long id = stage.say(hag, SPAM);
    assertRefused(moderate("owner@example.org/home", id + 1), ErrorCondition.ITEM_NOT_FOUND);
    assertRefused(
        moderate("owner@example.org/home", "x", "<retract xmlns='urn:xmpp:message-retract:1'/>"),
        ErrorCondition.ITEM_NOT_FOUND);
    assertRefused(
        moderate("owner@example.org/home", IDS.encode(id), ""), ErrorCondition.BAD_REQUEST);
  }

  /// The announcement names the message by the id that the other occupants know, whatever form the
  /// moderator's client has used.
  @Test
  void theAnnouncementHasTheIdThatTheRoomAssigned() {
    long id = stage.say(hag, SPAM);
    IqReply reply =
        moderate(
            "owner@example.org/home",
            Long.toString(id),
            "<retract xmlns='urn:xmpp:message-retract:1'/>");
    assertThat(reply).isEqualTo(IqReply.empty());
    assertThat(context.takeSent())
        .allSatisfy(sent ->
            assertThat(Objects.requireNonNull(sent.payload(MucNames.RETRACT)).attribute("id"))
                .isEqualTo(IDS.encode(id)))
        .hasSize(2);
  }

  @Test
  void theCurrentSubjectIsNotRetracted() {
    long id = stage.say(owner, "<message type='groupchat' id='s1'><subject>x</subject></message>");
    Message subject = Objects.requireNonNull(stage.remembered(id));
    stage.live.room().setSubject(new Room.Subject(subject, Instant.EPOCH));
    assertRefused(moderate("owner@example.org/home", id), ErrorCondition.NOT_ALLOWED);
  }

  @Test
  void aFailedRetractionIsNotAnnounced() {
    long id = stage.say(hag, SPAM);
    context.stores().fail(StoreException.Category.FULL);
    assertThatThrownBy(() -> moderate("owner@example.org/home", id))
        .isInstanceOf(StoreException.class);
    assertThat(context.takeSent()).isEmpty();
    assertThat(String.valueOf(stage.remembered(id))).contains("potions");
  }

  @Test
  void moderatorsAreRateLimited() {
    long id = stage.say(hag, SPAM);
    int most = context.config().rooms().messageRate();
    for (int i = 0; i < most; i++) {
      assertThat(moderate("owner@example.org/home", id)).isEqualTo(IqReply.empty());
    }
    assertRefused(moderate("owner@example.org/home", id), ErrorCondition.POLICY_VIOLATION);
  }
}
