package im.zonda.app.journal;

import static im.zonda.app.journal.Scene.JULIET;
import static im.zonda.app.journal.Scene.ROMEO;
import static im.zonda.app.journal.Scene.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.journal.JournalStore;
import im.zonda.journal.Reason;
import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Situations in which a message does not arrive: the first thing that `message.fate` says of each
/// is the cause.
@Timeout(60)
class SituationsTest {
  private static final String CONTENTS = "the secret of the garden";

  /// A situation.
  ///
  /// @param cause what is to be found first
  /// @param receiver whom the message was for
  record Situation(String name, Reason cause, String receiver, Happening happening) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// What happens.
  interface Happening {
    void play(Scene scene);
  }

  private static String chat(String to) {
    return message("chat", to, "");
  }

  private static String message(String type, String to, String more) {
    return "<message type='%s' id='m1' to='%s'><body>%s</body>%s</message>"
        .formatted(type, to, CONTENTS, more);
  }

  private static ScriptedClient says(Scene scene, String stanza) {
    ScriptedClient romeo = scene.available(ROMEO);
    romeo.send(stanza);
    romeo.fence("said");
    return romeo;
  }

  private static void blocks(ScriptedClient client, String address) {
    client.send(
        "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'><item jid='%s'/></block></iq>"
            .formatted(address));
    client.fence("blocked");
  }

  private static ScriptedClient managed(Scene scene) {
    ScriptedClient juliet = scene.client(JULIET);
    juliet.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    juliet.send("<presence/>");
    juliet.fence("enabled");
    return juliet;
  }

  private static void room(Scene scene, Map<String, ?> settings) {
    scene.run("room.create", Map.of("room", ROOM, "owner", JULIET));
    Map<String, Object> change = new HashMap<>(settings);
    change.put("room", ROOM);
    scene.run("room.configure", change);
  }

  private static void enters(Scene scene, String password) {
    says(
        scene,
        "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'>%s</x></presence>"
            .formatted(ROOM, password));
  }

  static Stream<Situation> situations() {
    return Stream.of(
            refusals(),
            storage(),
            sessions(),
            deliveries(),
            rooms(),
            entries(),
            talks(),
            requests(),
            others())
        .flatMap(each -> each);
  }

  /// The causes of all situations.
  static Set<Reason> causes() {
    return situations().map(Situation::cause).collect(Collectors.toSet());
  }

  private static Stream<Situation> refusals() {
    return Stream.of(
        new Situation(
            "blocked by the receiver",
            Reason.BLOCKED_BY_RECEIVER,
            JULIET,
            scene -> {
              blocks(scene.available(JULIET), ROMEO);
              says(scene, chat(JULIET));
            }),
        new Situation(
            "blocked by the sender",
            Reason.BLOCKED_BY_SENDER,
            JULIET,
            scene -> {
              ScriptedClient romeo = scene.available(ROMEO);
              blocks(romeo, JULIET);
              romeo.send(chat(JULIET));
              romeo.fence("said");
            }),
        new Situation(
            "an access list",
            Reason.ACCESS_LIST,
            JULIET,
            scene -> {
              scene.run(
                  "access-list.change",
                  Map.of("host", "example.org", "list", "blacklist", "add", List.of(JULIET)));
              says(scene, chat(JULIET));
            }),
        new Situation(
            "the receiver is disabled",
            Reason.ACCOUNT_DISABLED,
            JULIET,
            scene -> {
              scene.run("account.disable", Map.of("account", JULIET, "reason", "spam"));
              says(scene, chat(JULIET));
            }),
        new Situation(
            "no such account",
            Reason.NO_SUCH_ACCOUNT,
            "julia@example.org",
            scene -> says(scene, chat("julia@example.org"))));
  }

  private static Stream<Situation> storage() {
    return Stream.of(
        new Situation(
            "not connected", Reason.NOT_CONNECTED, JULIET, scene -> says(scene, chat(JULIET))),
        new Situation(
            "too many messages wait",
            Reason.OFFLINE_FULL,
            JULIET,
            scene -> says(scene, chat(JULIET) + chat(JULIET) + chat(JULIET))),
        new Situation(
            "not to be stored",
            Reason.NOT_STORED,
            JULIET,
            scene -> says(scene, message("chat", JULIET, "<no-store xmlns='urn:xmpp:hints'/>"))),
        new Situation(
            "negative priority only",
            Reason.NO_AVAILABLE_SESSION,
            JULIET,
            scene -> {
              ScriptedClient juliet = scene.client(JULIET);
              juliet.send("<presence><priority>-1</priority></presence>");
              juliet.fence("negative");
              says(scene, chat(JULIET));
            }),
        new Situation(
            "a device that is not there",
            Reason.NO_SUCH_SESSION,
            JULIET,
            scene -> says(scene, message("normal", JULIET + "/gone", ""))),
        new Situation(
            "a message for a room",
            Reason.NOT_FOR_ACCOUNTS,
            JULIET,
            scene -> says(scene, message("groupchat", JULIET, ""))));
  }

  private static Stream<Situation> sessions() {
    return Stream.of(
        new Situation(
            "a lost connection",
            Reason.SESSION_DETACHED,
            JULIET,
            scene -> {
              managed(scene).drop();
              says(scene, chat(JULIET));
            }),
        new Situation(
            "not acknowledged",
            Reason.SESSION_UNACKNOWLEDGED,
            JULIET,
            scene -> {
              managed(scene);
              says(scene, chat(JULIET));
              scene.advance(Duration.ofSeconds(15));
            }),
        new Situation(
            "never acknowledged",
            Reason.SESSION_EXPIRED,
            JULIET,
            scene -> {
              managed(scene).drop();
              says(scene, chat(JULIET));
              scene.advance(Duration.ofHours(1));
            }),
        new Situation(
            "the app is in the background",
            Reason.SESSION_ASLEEP,
            JULIET,
            scene -> {
              ScriptedClient juliet = scene.available(JULIET);
              juliet.send("<inactive xmlns='urn:xmpp:csi:0'/>");
              juliet.fence("inactive");
              says(scene, chat(JULIET));
            }));
  }

  private static Stream<Situation> deliveries() {
    return Stream.of(
        new Situation(
            "delivered",
            Reason.DELIVERED,
            JULIET,
            scene -> {
              scene.available(JULIET);
              says(scene, chat(JULIET));
            }),
        new Situation(
            "stored, and delivered later",
            Reason.DELIVERED,
            JULIET,
            scene -> {
              says(scene, chat(JULIET));
              scene.available(JULIET);
            }),
        new Situation("never sent", Reason.NEVER_SENT, JULIET, scene -> scene.available(JULIET)),
        new Situation(
            "a domain of another server",
            Reason.NOT_SERVED,
            "tybalt@other.example",
            scene -> says(scene, chat("tybalt@other.example"))));
  }

  private static Stream<Situation> rooms() {
    return Stream.of(
        new Situation(
            "no such room",
            Reason.NO_SUCH_ROOM,
            ROOM,
            scene -> says(scene, message("groupchat", ROOM, ""))),
        new Situation(
            "not in the room",
            Reason.ROOM_NOT_OCCUPANT,
            ROOM,
            scene -> {
              room(scene, Map.of());
              says(scene, message("groupchat", ROOM, ""));
            }),
        new Situation(
            "no voice",
            Reason.ROOM_NO_VOICE,
            ROOM,
            scene -> {
              room(scene, Map.of("moderated", "on"));
              ScriptedClient romeo = scene.available(ROMEO);
              romeo.send(
                  "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                      .formatted(ROOM));
              romeo.send(message("groupchat", ROOM, ""));
              romeo.fence("said");
            }));
  }

  private static Stream<Situation> entries() {
    return Stream.of(
        new Situation(
            "members only",
            Reason.ROOM_MEMBERS_ONLY,
            ROOM,
            scene -> {
              room(scene, Map.of("membersOnly", "on"));
              enters(scene, "");
            }),
        new Situation(
            "a full room",
            Reason.ROOM_FULL,
            ROOM,
            scene -> {
              room(scene, Map.of("occupants", 1));
              ScriptedClient juliet = scene.available(JULIET);
              juliet.send(
                  "<presence to='%s/juliet'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                      .formatted(ROOM));
              juliet.fence("in");
              enters(scene, "");
            }),
        new Situation(
            "banned from the room",
            Reason.ROOM_BANNED,
            ROOM,
            scene -> {
              room(scene, Map.of());
              scene.run(
                  "room.affiliate", Map.of("room", ROOM, "user", ROMEO, "affiliation", "outcast"));
              enters(scene, "");
            }),
        new Situation(
            "a wrong password",
            Reason.ROOM_PASSWORD,
            ROOM,
            scene -> {
              room(scene, Map.of("password", "nightingale"));
              enters(scene, "<password>lark</password>");
            }),
        new Situation(
            "a nickname that is taken",
            Reason.ROOM_NICKNAME_TAKEN,
            ROOM,
            scene -> {
              room(scene, Map.of());
              ScriptedClient juliet = scene.available(JULIET);
              juliet.send(
                  "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                      .formatted(ROOM));
              juliet.fence("in");
              enters(scene, "");
            }));
  }

  private static ScriptedClient inRoom(Scene scene, Map<String, ?> settings) {
    room(scene, settings);
    ScriptedClient romeo = scene.available(ROMEO);
    romeo.send(
        "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
            .formatted(ROOM));
    romeo.fence("in");
    return romeo;
  }

  private static void says(ScriptedClient client, String stanza) {
    client.send(stanza);
    client.fence("said");
  }

  private static Stream<Situation> talks() {
    return Stream.of(
        new Situation(
            "too much in a short time",
            Reason.ROOM_TOO_FAST,
            ROOM,
            scene -> says(inRoom(scene, Map.of()), message("groupchat", ROOM, "").repeat(201))),
        new Situation(
            "slow mode",
            Reason.ROOM_SLOW_MODE,
            ROOM,
            scene -> {
              ScriptedClient romeo = inRoom(scene, Map.of("slowMode", 60));
              says(romeo, message("groupchat", ROOM, "").repeat(2));
            }),
        new Situation(
            "a private message to someone who has left",
            Reason.ROOM_NO_SUCH_OCCUPANT,
            ROOM,
            scene -> says(inRoom(scene, Map.of()), message("chat", ROOM + "/juliet", ""))),
        new Situation(
            "no private messages",
            Reason.ROOM_NO_PRIVATE,
            ROOM,
            scene -> {
              ScriptedClient romeo = inRoom(scene, Map.of());
              says(
                  scene.client(JULIET),
                  ("<iq type='set' id='c' to='%s'><query xmlns='http://jabber.org/protocol/muc#owner'>"
                          + "<x xmlns='jabber:x:data' type='submit'>"
                          + "<field var='FORM_TYPE'><value>http://jabber.org/protocol/muc#roomconfig"
                          + "</value></field><field var='muc#roomconfig_allowpm'><value>none</value>"
                          + "</field></x></query></iq>")
                      .formatted(ROOM));
              says(romeo, message("chat", ROOM + "/romeo", ""));
            }));
  }

  private static Stream<Situation> requests() {
    return Stream.of(
        new Situation(
            "the subject",
            Reason.ROOM_SUBJECT,
            ROOM,
            scene ->
                says(
                    inRoom(scene, Map.of("changeSubject", "off")),
                    "<message type='groupchat' id='m1' to='%s'><subject>%s</subject></message>"
                        .formatted(ROOM, CONTENTS))),
        new Situation(
            "an invitation",
            Reason.ROOM_INVITATION,
            ROOM,
            scene ->
                says(
                    inRoom(scene, Map.of("invites", "off")),
                    ("<message to='%s' id='m1'><x xmlns='http://jabber.org/protocol/muc#user'>"
                            + "<invite to='%s'/></x></message>")
                        .formatted(ROOM, "nurse@example.org"))),
        new Situation(
            "a message that is none for a room",
            Reason.ROOM_REFUSED,
            ROOM,
            scene -> says(inRoom(scene, Map.of()), message("normal", ROOM, ""))),
        new Situation(
            "a room that is not set up yet",
            Reason.ROOM_LOCKED,
            ROOM,
            scene -> {
              ScriptedClient juliet = scene.available(JULIET);
              says(
                  juliet,
                  "<presence to='%s/juliet'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                      .formatted(ROOM));
              enters(scene, "");
            }));
  }

  private static Stream<Situation> others() {
    return Stream.of(
        new Situation(
            "a component that does not come",
            Reason.COMPONENT_TIMEOUT,
            "bot@" + Scene.COMPONENT,
            scene -> {
              says(scene, chat("bot@" + Scene.COMPONENT));
              scene.advance(Duration.ofMinutes(1));
            }),
        new Situation(
            "no component",
            Reason.COMPONENT_ABSENT,
            "bot@" + Scene.COMPONENT,
            scene -> {
              scene.advance(Duration.ofHours(1));
              says(scene, chat("bot@" + Scene.COMPONENT));
            }));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void theFirstFindingIsTheCause(Situation situation) throws IOException {
    try (Scene scene = new Scene()) {
      situation.happening().play(scene);
      List<Map<?, ?>> findings = scene.why(ROMEO, situation.receiver());
      assertThat(Inquiry.reasons(findings)).first().isEqualTo(situation.cause().word());
      assertThat(findings.toString()).doesNotContain("garden", "{detail}", "{sender}");
      Object text = findings.getFirst().get("text");
      assertThat(String.valueOf(text)).isNotEmpty().doesNotContain("null");
    }
  }

  @ParameterizedTest
  @MethodSource("situations")
  void theContentsAreNowhere(Situation situation) throws IOException {
    try (Scene scene = new Scene()) {
      situation.happening().play(scene);
      scene.advance(Duration.ofSeconds(5));
      String shown = scene.run("journal.search", Map.of()).toString();
      String stored =
          scene.server().stores().journal().find(JournalStore.Query.newest(100)).toString();
      assertThat(shown + stored).doesNotContain("garden", "nightingale", "lark");
    }
  }
}
