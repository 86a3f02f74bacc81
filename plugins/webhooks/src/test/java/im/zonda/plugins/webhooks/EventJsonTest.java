package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.json.JsonReader;
import im.zonda.plugin.PluginEvent;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventJsonTest {
  private static final Instant TIME = Instant.parse("2026-11-29T05:00:00Z");
  private static final String HOST = "example.org";
  private static final String START = "{\"id\":\"i-1\",\"time\":\"2026-11-29T05:00:00.000Z\",";
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid COVEN = Jid.of("coven@rooms.example.org");
  private static final Jid HAG = Jid.of("coven@rooms.example.org/hag");

  private static Element client(String name, String text) {
    return Element.text(new QName("jabber:client", name), text);
  }

  private static Message message(Jid from, Jid to, Element... payloads) {
    return Message.of(Message.Type.CHAT, from, to, "m1", List.of(payloads));
  }

  private static EventJson of(PluginEvent event) {
    return Objects.requireNonNull(EventJson.of(event));
  }

  private static String json(PluginEvent event, Contents contents) {
    String json = new String(of(event).bytes("i-1", contents), UTF_8);
    assertThat(JsonReader.object(json)).isNotEmpty();
    return json;
  }

  private static String json(PluginEvent event) {
    return json(event, Contents.NONE);
  }

  @Test
  void eachKindHasItsMembers() {
    String host = START + "\"host\":\"example.org\",\"kind\":\"";
    assertThat(json(new PluginEvent.SessionStarted(HOST, TIME, JULIET)))
        .isEqualTo(host + "session-started\",\"session\":\"juliet@example.org/balcony\"}");
    assertThat(json(new PluginEvent.SessionEnded(HOST, TIME, JULIET)))
        .isEqualTo(host + "session-ended\",\"session\":\"juliet@example.org/balcony\"}");
    assertThat(json(new PluginEvent.RoomCreated(HOST, TIME, COVEN, JULIET.bare())))
        .isEqualTo(
            host
                + "room-created\",\"room\":\"coven@rooms.example.org\","
                + "\"user\":\"juliet@example.org\"}");
    assertThat(json(new PluginEvent.RoomRemoved(HOST, TIME, COVEN)))
        .isEqualTo(host + "room-removed\",\"room\":\"coven@rooms.example.org\"}");
    assertThat(json(new PluginEvent.RoomEntered(HOST, TIME, HAG, JULIET)))
        .isEqualTo(
            host
                + "room-entered\",\"room\":\"coven@rooms.example.org\",\"nick\":\"hag\","
                + "\"user\":\"juliet@example.org/balcony\"}");
    assertThat(json(new PluginEvent.RoomLeft(HOST, TIME, HAG, JULIET)))
        .startsWith(host + "room-left\",\"room\":");
    assertThat(json(new PluginEvent.MessageSent(HOST, TIME, message(JULIET, COVEN))))
        .isEqualTo(
            host
                + "message-sent\",\"from\":\"juliet@example.org/balcony\","
                + "\"to\":\"coven@rooms.example.org\",\"type\":\"chat\",\"message\":\"m1\"}");
    assertThat(json(new PluginEvent.MessageDelivered(HOST, TIME, message(JULIET, COVEN), 2)))
        .endsWith("\"message\":\"m1\",\"sessions\":2}");
  }

  @Test
  void aMessageOfARoomHasItsSenderUnlessItIsTheRoom() {
    Message said =
        Message.of(Message.Type.GROUPCHAT, HAG, null, "m1", List.of(client("body", "Hail")));
    EventJson event = of(new PluginEvent.RoomMessage(HOST, TIME, said, JULIET));
    assertThat(event.room()).isEqualTo(COVEN);
    assertThat(json(event.event(), Contents.TEXT))
        .endsWith(
            "\"kind\":\"room-message\",\"room\":\"coven@rooms.example.org\",\"nick\":\"hag\","
                + "\"user\":\"juliet@example.org/balcony\","
                + "\"from\":\"coven@rooms.example.org/hag\",\"type\":\"groupchat\","
                + "\"message\":\"m1\",\"body\":\"Hail\"}");
    Message ofRoom = said.withAddresses(COVEN, null);
    assertThat(json(new PluginEvent.RoomMessage(HOST, TIME, ofRoom, null)))
        .doesNotContain("user")
        .doesNotContain("nick")
        .doesNotContain("Hail");
  }

  @Test
  void contentsAreThereOnlyIfAskedFor() {
    PluginEvent said =
        new PluginEvent.MessageSent(
            HOST,
            TIME,
            message(
                JULIET,
                COVEN,
                client("subject", "Night"),
                client("body", "a\"b\\c\n\u007f\u2028d")));
    assertThat(json(said)).doesNotContain("Night").doesNotContain("body");
    assertThat(json(said, Contents.TEXT))
        .endsWith("\"subject\":\"Night\",\"body\":\"a\\\"b\\\\c\\u000a\\u007f\\u2028d\"}");
    assertThat(JsonReader.object(json(said, Contents.STANZA)).get("xml"))
        .asString()
        .startsWith("<message");
    Presence presence =
        Presence.of(
            Presence.Type.AVAILABLE,
            JULIET,
            null,
            null,
            List.of(client("show", "away"), client("status", "Asleep")));
    PluginEvent changed = new PluginEvent.PresenceChanged(HOST, TIME, presence);
    assertThat(json(changed))
        .endsWith(
            "\"from\":\"juliet@example.org/balcony\",\"type\":\"available\",\"show\":\"away\","
                + "\"priority\":0}");
    assertThat(json(changed, Contents.TEXT)).endsWith("\"priority\":0,\"status\":\"Asleep\"}");
    assertThat(of(said).toString()).doesNotContain("Night");
  }

  @Test
  void whatIsTooLargeComesWithoutItsContents() {
    PluginEvent said =
        new PluginEvent.MessageSent(
            HOST, TIME, message(JULIET, COVEN, client("body", "x".repeat(300_000))));
    assertThat(json(said, Contents.TEXT)).endsWith("\"message\":\"m1\",\"truncated\":true}");
  }

  @Test
  void filtersAreByKindHostRoomAndBody() {
    Target.Filter filter =
        new Target.Filter(
            EnumSet.of(EventKind.ROOM_ENTERED, EventKind.MESSAGE_SENT),
            Set.of(HOST),
            Set.of(COVEN),
            false,
            Contents.NONE);
    assertThat(filter.takes(of(new PluginEvent.RoomEntered(HOST, TIME, HAG, JULIET)))).isTrue();
    assertThat(filter.takes(of(new PluginEvent.RoomLeft(HOST, TIME, HAG, JULIET)))).isFalse();
    assertThat(filter.takes(of(new PluginEvent.RoomEntered("a.example", TIME, HAG, JULIET))))
        .isFalse();
    Jid other = Jid.of("heath@rooms.example.org/hag");
    assertThat(filter.takes(of(new PluginEvent.RoomEntered(HOST, TIME, other, JULIET)))).isFalse();
    Message body = message(JULIET, COVEN, client("body", "Hail"));
    assertThat(filter.takes(of(new PluginEvent.MessageSent(HOST, TIME, body)))).isTrue();
    Message receipt = message(JULIET, COVEN);
    assertThat(filter.takes(of(new PluginEvent.MessageSent(HOST, TIME, receipt)))).isFalse();
  }

  @Test
  void kindsOfLaterVersionsArePassedOver() {
    record Later(String host, Instant time) implements PluginEvent {}
    assertThat(EventJson.of(new Later(HOST, TIME))).isNull();
  }
}
