package im.zonda.module.muc.archive;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.Envelope;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestStanzaIds;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.store.StoreException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetractionTest {
  private static final TestStanzaIds IDS = new TestStanzaIds();
  private static final String SECRET =
      "<message type='groupchat' id='m1' xml:lang='en'><body>secret</body>"
          + "<thread>about it</thread></message>";

  private final TestContext context = new TestContext();
  private final RoomStage stage = new RoomStage(context);
  private final Occupant romeo = stage.enter("romeo@example.org/orchard", "romeo");
  private final Occupant tybalt = stage.enter("tybalt@example.org/square", "tybalt");

  private static String retract(long id) {
    return retract(IDS.encode(id));
  }

  private static String retract(String id) {
    return "<message type='groupchat' id='r1'><retract xmlns='urn:xmpp:message-retract:1' id='"
        + id
        + "'/></message>";
  }

  private static String xml(@Nullable Message message) {
    return Objects.requireNonNull(message).toElement().toString();
  }

  @Test
  void theMessageIsReplacedInHistoryAndArchive() {
    long id = stage.say(romeo, SECRET);
    stage.say(romeo, retract(id));
    String tombstone =
        "<message xmlns='jabber:client' type='groupchat' id='m1'"
            + " from='coven@rooms.example.org/romeo'>"
            + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='{any}'/>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='coven@rooms.example.org' id='"
            + IDS.encode(id)
            + "'/><retracted xmlns='urn:xmpp:message-retract:1' id='r1' stamp='{any}'/>";
    Message remembered = Objects.requireNonNull(stage.remembered(id));
    assertThat(Expect.matches(TestXml.element(tombstone + "</message>"), remembered.toElement()))
        .as(remembered.toString())
        .isTrue();
    Message archived = Objects.requireNonNull(stage.archived(id));
    String author =
        "<x xmlns='http://jabber.org/protocol/muc#user'><item affiliation='none'"
            + " jid='romeo@example.org/orchard' role='participant'/></x></message>";
    assertThat(Expect.matches(TestXml.element(tombstone + author), archived.toElement()))
        .as(archived.toString())
        .isTrue();
    assertThat(xml(archived) + xml(remembered)).doesNotContain("secret", "about it");
  }

  @Test
  void othersCannotRetractIt() {
    long id = stage.say(romeo, SECRET);
    long vain = stage.say(tybalt, retract(id));
    assertThat(xml(stage.remembered(id))).contains("secret");
    assertThat(xml(stage.archived(id))).contains("secret");
    // A retraction is stored like any message, and cannot be retracted itself.
    stage.say(tybalt, retract(vain));
    assertThat(xml(stage.archived(vain))).contains("<retract ");
  }

  @Test
  void row64_aForgedOccupantIdIsIgnored() {
    long id =
        stage.say(
            romeo,
            "<message type='groupchat' id='m1'><body>secret</body>"
                + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='"
                + tybalt.id()
                + "'/></message>");
    stage.say(tybalt, retract(id));
    assertThat(xml(stage.archived(id))).contains("secret");
  }

  @Test
  void messagesInTheHistoryOnlyAreRetracted() {
    stage.configure(Map.of("enablelogging", "0"));
    long id = stage.say(romeo, SECRET);
    stage.say(romeo, retract(id));
    assertThat(stage.archived(id)).isNull();
    assertThat(xml(stage.remembered(id))).contains("retracted").doesNotContain("secret");
  }

  @Test
  void aRetractionIsStoredWhateverItsHintsSay() {
    long id = stage.say(romeo, SECRET);
    String hinted =
        retract(id).replace("</message>", "<no-store xmlns='urn:xmpp:hints'/></message>");
    assertThat(stage.archived(stage.say(romeo, hinted))).isNotNull();
  }

  @Test
  void aRetractionWithoutAnIdIsAnOrdinaryMessage() {
    long id = stage.say(romeo, SECRET);
    assertThat(stage.say(romeo, retract(id).replace("id='r1'", ""))).isPositive();
    assertThat(xml(stage.archived(id))).contains("secret");
  }

  @Test
  void aFailingArchiveDoesNotDelayTheRoom() {
    long id = stage.say(romeo, SECRET);
    Message said =
        TestXml.message(retract(id)).withAddresses(romeo.mainSession().jid(), RoomStage.JID);
    assertThat(stage.archive.store(stage.home, stage.live, romeo, said, Envelope.of(said)))
        .isNotNull();
    context.stores().fail(StoreException.Category.UNAVAILABLE);
    context.runTasks();
    assertThat(xml(stage.archived(id))).contains("secret");
    assertThat(xml(stage.remembered(id))).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "01",
        "+1",
        "1.0",
        "1 or 1=1",
        "9223372036854775808",
        "99999999999999999999",
        "\u0661",
        "sid-",
        "sid-1."
      })
  void row77_invalidIdsAreIgnored(String id) {
    long said = stage.say(romeo, SECRET);
    assertThat(stage.say(romeo, retract(id))).isPositive();
    assertThat(xml(stage.archived(said))).contains("secret");
    assertThat(stage.retraction.parseId(id)).isEmpty();
    assertThat(stage.retraction.parseId(null)).isEmpty();
  }

  /// Clients hold the decimal digits that earlier versions assigned.
  @Test
  void anIdFromAnEarlierVersionIsUnderstood() {
    long id = stage.say(romeo, SECRET);
    stage.say(romeo, retract(Long.toString(id)));
    assertThat(xml(stage.archived(id))).contains("retracted").doesNotContain("secret");
    assertThat(xml(stage.remembered(id))).contains("retracted").doesNotContain("secret");
  }
}
