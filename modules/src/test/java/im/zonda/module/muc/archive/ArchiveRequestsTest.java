package im.zonda.module.muc.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import im.zonda.config.copy.RecordCopy;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.HistoryRequest;
import im.zonda.module.muc.home.RoomBounds;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestStanzaIds;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIds;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchiveRequestsTest {
  private static final String QUERY = "<iq type='set' id='q1'><query xmlns='urn:xmpp:mam:2'/></iq>";
  private static final String METADATA =
      "<iq type='get' id='q2'><metadata xmlns='urn:xmpp:mam:2'/></iq>";
  private static final String FORM = "<iq type='get' id='q3'><query xmlns='urn:xmpp:mam:2'/></iq>";

  private final TestContext context = new TestContext();
  private final RoomStage stage = new RoomStage(context);

  /// The condition of the error; `read` if there is none.
  private String outcome(String requester, String request) {
    IqReply reply = stage.ask(requester, request);
    List<Stanza> sent = context.takeSent();
    return switch (reply) {
      case IqReply.Refuse(var error) -> {
        assertThat(sent).isEmpty();
        yield error.condition().toString();
      }
      case IqReply.Result ignored -> "read";
      case IqReply.Later() -> {
        assertThat(sent.getLast()).isInstanceOf(Iq.class);
        assertThat(sent.getLast().isError()).isFalse();
        yield "read";
      }
    };
  }

  /// Users who may not enter a room cannot read its archive.
  @ParameterizedTest
  @CsvSource({
    "'',                 NONE,    false, read",
    "'',                 OUTCAST, false, FORBIDDEN",
    "membersonly,        NONE,    false, FORBIDDEN",
    "membersonly,        MEMBER,  false, read",
    "membersonly,        ADMIN,   false, read",
    "membersonly,        OUTCAST, false, FORBIDDEN",
    "password,           NONE,    false, FORBIDDEN",
    "password,           NONE,    true,  read",
    "password,           MEMBER,  false, FORBIDDEN",
    "password,           MEMBER,  true,  read",
    "password,           ADMIN,   false, read",
    "password,           OUTCAST, false, FORBIDDEN",
    "off,                ADMIN,   false, SERVICE_UNAVAILABLE"
  })
  void whoMayNotEnterMayNotRead(
      String room, Affiliation affiliation, boolean present, String expected) {
    switch (room) {
      case "membersonly" -> stage.configure(Map.of("membersonly", "1"));
      case "password" ->
          stage.configure(Map.of("passwordprotectedroom", "1", "roomsecret", "cauldronburn"));
      case "off" -> stage.configure(Map.of("enablelogging", "0"));
      default -> {}
    }
    Occupant owner = stage.enter("owner@example.org/x", "owner");
    stage.say(owner, "<message type='groupchat'><body>secret</body></message>");
    if (affiliation != Affiliation.NONE) {
      stage.affiliate("hag@example.org", affiliation);
    }
    if (present) {
      stage.enter("hag@example.org/pda", "hag");
    }
    for (String request : List.of(QUERY, METADATA, FORM)) {
      assertThat(outcome("hag@example.org/pda", request)).as(request).isEqualTo(expected);
    }
  }

  @Test
  void aLockedRoomHasNoArchive() {
    RoomStage other = new RoomStage(new TestContext(), true);
    assertThat(other.ask("hag@example.org/pda", QUERY).toString()).contains("ITEM_NOT_FOUND");
    assertThat(other.ask("owner@example.org/x", QUERY)).isEqualTo(IqReply.later());
  }

  @Test
  void usersOfOtherServersGetAResponse() {
    stage.say(
        stage.enter("owner@example.org/x", "owner"),
        "<message type='groupchat'><body>hi</body></message>");
    IqReply reply = stage.ask("hag@example.net/pda", QUERY);
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    assertThat(context.takeSent())
        .singleElement()
        .extracting(Stanza::to)
        .isEqualTo(Jid.of("hag@example.net/pda"));
  }

  /// The item with the real JID that the requester reads; empty if there is none.
  private String author(String requester) {
    stage.ask(requester, QUERY);
    String result =
        context.takeSent().stream()
            .filter(Message.class::isInstance)
            .map(stanza -> stanza.toElement().toString())
            .findFirst()
            .orElseThrow();
    assertThat(result).contains("Harpier").doesNotContain("status");
    int item = result.indexOf("<item");
    return item < 0 ? "" : result.substring(item, result.indexOf("/>", item) + 2);
  }

  @Test
  void realJidsAreForReadersWhoSeeThemInTheRoom() {
    Occupant hag = stage.enter("hag@example.org/<&>", "hag");
    stage.say(hag, "<message type='groupchat'><body>Harpier cries</body></message>");
    assertThat(author("owner@example.org/x"))
        .contains("affiliation='none'", "hag@example.org/&lt;&amp;", "role='participant'");
    assertThat(author("witch@example.org/x")).isEmpty();
    Occupant witch = stage.enter("witch@example.org/x", "witch");
    assertThat(author("witch@example.org/x")).isEmpty();
    stage.live.room().changeRole(witch, Role.MODERATOR);
    assertThat(author("witch@example.org/x")).isNotEmpty();
  }

  @Test
  void anAuthorStaysHiddenWhenTheRoomBecomesNonAnonymous() {
    Occupant hag = stage.enter("hag@example.org/pda", "hag");
    stage.say(hag, "<message type='groupchat'><body>Harpier cries</body></message>");
    stage.configure(Map.of("whois", "anyone"));
    assertThat(author("witch@example.org/x")).isEmpty();
    assertThat(author("owner@example.org/x")).contains("hag@example.org/pda");
  }

  @Test
  void anAuthorIsShownUntilTheRoomBecomesSemiAnonymous() {
    stage.configure(Map.of("whois", "anyone"));
    Occupant hag = stage.enter("hag@example.org/pda", "hag");
    stage.say(hag, "<message type='groupchat'><body>Harpier cries</body></message>");
    assertThat(author("witch@example.org/x")).contains("hag@example.org/pda");
    stage.configure(Map.of("whois", "moderators"));
    assertThat(author("witch@example.org/x")).isEmpty();
  }

  /// The history loaded from the archive is sent to everyone who enters.
  @Test
  void theHistoryOfALoadedRoomHasNoRealJids() {
    RoomRepository repository =
        new RoomRepository(
            context,
            () -> context.config().rooms(),
            admin -> false,
            RoomBounds.of(context, RoomStage.JID.domainJid(), 1_000_000_000));
    repository.save(stage.live, stage.live.room().config(), null, List.of());
    Occupant hag = stage.enter("hag@example.org/pda", "hag");
    long id = stage.say(hag, "<message type='groupchat'><body>Harpier cries</body></message>");
    RoomHome.LiveRoom loaded = Objects.requireNonNull(repository.open(RoomStage.JID).live());
    assertThat(loaded.history().select(HistoryRequest.of(null, Instant.EPOCH)).messages())
        .singleElement()
        .satisfies(message ->
            assertThat(message.toElement().toString())
                .contains("Harpier", "id='" + new TestStanzaIds().encode(id))
                .doesNotContain("hag@example.org"));
  }

  @Test
  void unarchivedMessagesHaveAStanzaIdOnlyWithABody() {
    Occupant hag = stage.enter("hag@example.org/pda", "hag");
    String writes = "<composing xmlns='http://jabber.org/protocol/chatstates'/></message>";
    String hint = "<no-store xmlns='urn:xmpp:hints'/></message>";
    assertThat(stanzaId(hag, "<message type='groupchat'>" + writes)).isFalse();
    assertThat(stanzaId(hag, "<message type='groupchat'><body>x</body>" + hint)).isTrue();
    assertThat(stanzaId(hag, "<message type='groupchat'><body>x</body></message>")).isTrue();
    assertThat(context.stores().messages().entries(RoomStage.JID)).hasSize(1);
    stage.configure(Map.of("enablelogging", "0"));
    assertThat(stanzaId(hag, "<message type='groupchat'>" + writes)).isTrue();
    assertThat(context.stores().messages().entries(RoomStage.JID)).hasSize(1);
  }

  private boolean stanzaId(Occupant occupant, String message) {
    Message said = stage.remembered(stage.say(occupant, message));
    return said != null && said.has(StanzaIds.NAME);
  }

  @Test
  void featuresAreThoseOfAnArchivingRoom() {
    RoomConfig archives = stage.live.room().config();
    assertThat(stage.requests.roomFeatures(archives))
        .contains(
            "urn:xmpp:mam:2",
            "urn:xmpp:mam:2#extended",
            "urn:xmpp:sid:0",
            "urn:xmpp:message-moderate:1",
            "urn:xmpp:message-retract:1",
            "urn:xmpp:message-retract:1#tombstone");
    stage.configure(Map.of("enablelogging", "0"));
    assertThat(stage.requests.roomFeatures(stage.live.room().config()))
        .containsExactlyInAnyOrder("urn:xmpp:sid:0", "urn:xmpp:message-moderate:1");
  }

  @Test
  void aServerWithoutArchivesHasNoRoomArchives() {
    TestContext without = new TestContext();
    ServerConfig all = without.config();
    without.config(RecordCopy.with(all, "storage", new Storage(false, true, 2, 512)));
    RoomStage room = new RoomStage(without);
    room.say(
        room.enter("hag@example.org/pda", "hag"),
        "<message type='groupchat'><body>x</body></message>");
    assertThat(without.stores().messages().entries(RoomStage.JID)).isEmpty();
    assertThat(room.requests.roomFeatures(room.live.room().config()))
        .containsExactlyInAnyOrder("urn:xmpp:sid:0", "urn:xmpp:message-moderate:1");
  }

  @ParameterizedTest
  @CsvSource({"UNAVAILABLE, resource-constraint", "DAMAGED, internal-server-error"})
  void anArchiveThatCannotBeReadIsReported(StoreException.Category reason, String told) {
    context.stores().archive().failReads(reason);
    assertThatThrownBy(() -> stage.ask("hag@example.org/pda", QUERY))
        .isInstanceOf(StoreException.class);
    assertThat(context.takeSent())
        .singleElement()
        .satisfies(answer -> {
          assertThat(answer.to()).isEqualTo(Jid.of("hag@example.org/pda"));
          assertThat(answer.toElement().toString()).contains("type='error'", told);
        });
  }

  @Test
  void theResultFollowsThePage() {
    stage.say(
        stage.enter("owner@example.org/x", "owner"),
        "<message type='groupchat'><body>hi</body></message>");
    assertThat(stage.ask("hag@example.org/pda", QUERY)).isEqualTo(IqReply.later());
    Expect.sent(
        context,
        "<message from='coven@rooms.example.org' to='hag@example.org/pda' id='{any}'>"
            + "<result xmlns='urn:xmpp:mam:2' id='{any}'><forwarded xmlns='urn:xmpp:forward:0'>"
            + "<delay xmlns='urn:xmpp:delay' stamp='{any}'/><message xmlns='jabber:client'"
            + " type='groupchat' from='coven@rooms.example.org/owner'><body>hi</body>"
            + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='{any}'/>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='coven@rooms.example.org' id='{any}'/>"
            + "</message></forwarded></result></message>",
        "<iq type='result' id='q1' from='coven@rooms.example.org' to='hag@example.org/pda'>"
            + "<fin xmlns='urn:xmpp:mam:2' complete='true'>"
            + "<set xmlns='http://jabber.org/protocol/rsm'>"
            + "<first>{any}</first><last>{any}</last></set></fin></iq>");
  }
}
