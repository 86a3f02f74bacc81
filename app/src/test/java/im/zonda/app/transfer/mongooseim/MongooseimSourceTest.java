package im.zonda.app.transfer.mongooseim;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedNode;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.app.transfer.SampleDatabase;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MongooseimSourceTest {
  private static final Jid JULIET = Jid.of("juliet@move.example");
  private static final Jid COVEN = Jid.of("coven@rooms.move.example");

  @TempDir private Path folder;

  private RecordingReceiver read(String... statements) throws IOException, SQLException {
    Path file = SampleDatabase.file("mongooseim/sample.sql", folder);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    ForeignDatabase database = ForeignDatabase.openFile(file, folder);
    assertThat(MongooseimSource.recognises(database)).isTrue();
    try (MongooseimSource source = new MongooseimSource(database, new FakeClock())) {
      return RecordingReceiver.of(source);
    }
  }

  @Test
  void accountsAreTaken() throws IOException, SQLException {
    RecordingReceiver read = read();
    assertThat(read.reasons()).isEmpty();
    ImportedAccount juliet = read.account("juliet@move.example");
    RosterItem romeo =
        juliet.roster().stream().filter(RosterItem::listed).findFirst().orElseThrow();
    assertThat(romeo.name()).isEqualTo("Rom\u00e9o \"R\"");
    assertThat(romeo.groups()).containsExactlyInAnyOrder("Friends", "Verona");
    assertThat(juliet.roster().stream().filter(each -> each.request() != null))
        .singleElement()
        .extracting(RosterItem::jid)
        .isEqualTo(Jid.of("nurse@move.example"));
    assertThat(String.valueOf(juliet.vcard())).contains("<FN>Juliet Capulet</FN>");
    assertThat(juliet.privateXml()).hasSize(1);
    assertThat(juliet.blocked())
        .containsExactlyInAnyOrder(
            Jid.of("paris@move.example"), Jid.of("tybalt@elsewhere.example"));
  }

  /// One in the tables of each module.
  @Test
  void nodesAreTaken() throws IOException, SQLException {
    ImportedAccount juliet =
        read(
                "insert into pubsub_subscriptions values"
                    + " (2, 'romeo', 'move.example', '', 3, 's', '{}')",
                "insert into pubsub_affiliations values (2, 'romeo', 'move.example', 3)",
                "insert into pubsub_subscription values ('move.example', 'juliet',"
                    + " 'http://jabber.org/protocol/nick', 'move.example', 'romeo', '')")
            .account("juliet@move.example");
    assertThat(juliet.nodes())
        .extracting(each -> each.name() + " " + each.options().get("pubsub#access_model"))
        .containsExactly(
            "urn:xmpp:bookmarks:1 [whitelist]", "http://jabber.org/protocol/nick [presence]");
    for (ImportedNode node : juliet.nodes()) {
      assertThat(node.items().getFirst().publisher().bare()).isEqualTo(JULIET);
      assertThat(node.items().getFirst().published())
          .isBetween(Instant.parse("2026-11-28T18:43:53Z"), Instant.parse("2026-11-28T18:43:54Z"));
      assertThat(node.subscribers()).containsExactly(Jid.of("romeo@move.example"));
    }
    assertThat(juliet.nodes().getFirst().affiliations())
        .containsEntry(Jid.of("romeo@move.example"), "publish-only");
    assertThat(juliet.nodes().getFirst().items().getFirst().payload())
        .asString(StandardCharsets.UTF_8)
        .startsWith("<conference");
  }

  @Test
  void messagesOfEachFormatAreTaken() throws IOException, SQLException {
    RecordingReceiver read = read();
    List<ImportedMessage> messages = read.messages.getOrDefault(JULIET, List.of());
    assertThat(messages)
        .extracting(each -> each.with() + " " + each.waiting())
        .containsExactly(
            "romeo@move.example/script true",
            "nurse@move.example/script true",
            "romeo@move.example/script false",
            "romeo@move.example false",
            "romeo@move.example/script false",
            "nurse@move.example/script false");
    assertThat(messages.get(3).message().toString()).contains("Ay me! &lt;&amp;");
    assertThat(messages.get(3).time()).isEqualTo(Instant.parse("2026-11-28T18:43:53.346456Z"));
    for (String other : List.of("romeo@move.example", "nurse@move.example")) {
      assertThat(read.messages.getOrDefault(Jid.of(other), List.of())).isNotEmpty();
    }
  }

  @Test
  void roomsAreTaken() throws IOException, SQLException {
    RecordingReceiver read = read();
    ImportedRoom room = Objects.requireNonNull(read.rooms.get(COVEN));
    assertThat(room.config())
        .containsEntry("muc#roomconfig_roomname", List.of("The Coven"))
        .containsEntry("muc#roomconfig_membersonly", List.of("1"))
        .containsEntry("muc#roomconfig_whois", List.of("anyone"))
        .containsEntry("muc#roomconfig_maxusers", List.of("200"))
        .containsEntry("muc#roomconfig_roomsecret", List.of("cauldron"));
    assertThat(room.affiliations())
        .extracting(each -> each.user() + " " + each.affiliation())
        .containsExactly(
            "juliet@move.example owner", "paris@move.example outcast", "romeo@move.example member");
    assertThat(room.subject())
        .isEqualTo(new ImportedRoom.Subject("Double, double", "Juliet", null));
    List<ImportedMessage> messages = read.messages.getOrDefault(COVEN, List.of());
    assertThat(messages)
        .extracting(ImportedMessage::with)
        .containsExactly(
            Jid.of("coven@rooms.move.example/Juliet"),
            Jid.of("coven@rooms.move.example/Juliet"),
            Jid.of("coven@rooms.move.example/Romeo"));
    assertThat(messages.get(2).message().toString())
        .contains("and cauldron bubble")
        .containsOnlyOnce("jid='romeo@move.example/script'")
        .doesNotContain("to=");
  }

  @Test
  void roomsOfMucLightAreTaken() throws IOException, SQLException {
    RecordingReceiver read =
        read(
            "insert into muc_light_rooms values (9, 'balcony', 'light.move.example', 'v')",
            "insert into muc_light_config values (9, 'roomname', 'Balcony')",
            "insert into muc_light_config values (9, 'subject', 'Night')",
            "insert into muc_light_occupants values (9, 'juliet', 'move.example', 1)",
            "insert into muc_light_occupants values (9, 'romeo', 'move.example', 2)",
            "insert into mam_server_user values (5, 'light.move.example', 'balcony')",
            "insert into mam_muc_message values (459748207178667265, 5, 3, 'romeo@move.example',"
                + " x'"
                + hex("<message type='groupchat' id='x'><body>Lady</body></message>")
                + "', null, null)");
    ImportedRoom room =
        Objects.requireNonNull(read.rooms.get(Jid.of("balcony@light.move.example")));
    assertThat(room.config())
        .containsEntry("muc#roomconfig_roomname", List.of("Balcony"))
        .containsEntry("muc#roomconfig_membersonly", List.of("1"))
        .containsEntry("muc#roomconfig_publicroom", List.of("0"))
        .containsEntry("muc#roomconfig_whois", List.of("anyone"));
    assertThat(room.affiliations())
        .extracting(each -> each.user() + " " + each.affiliation())
        .containsExactly("juliet@move.example owner", "romeo@move.example member");
    assertThat(Objects.requireNonNull(room.subject()).text()).isEqualTo("Night");
    assertThat(read.messages.getOrDefault(room.jid(), List.of()))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.with())
              .isEqualTo(Jid.of("balcony@light.move.example/romeo@move.example"));
          assertThat(each.message().toString()).contains("jid='romeo@move.example'", "Lady");
        });
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String bars(ScramKeys keys) {
    return base64(keys.salt()) + "|" + base64(keys.storedKey()) + "|" + base64(keys.serverKey());
  }

  private static String user(String name, String password, String details) {
    return "insert into users values ('%s', 'b.example', '%s', %s)"
        .formatted(name, password, details);
  }

  @Test
  void passwordsAreTaken() throws IOException, SQLException {
    ScramKeys sha1 = Passwords.derive("capulet", "SHA-1", new byte[] {1, 2}, 10_000);
    ScramKeys sha512 = Passwords.derive("capulet", "SHA-512", new byte[] {3}, 10_000);
    RecordingReceiver read =
        read(
            user(
                "many",
                "",
                "'==MULTI_SCRAM==,10000,===SHA1===%s,==SHA224==AA==|AA==|AA==,==SHA512==%s'"
                    .formatted(bars(sha1), bars(sha512))),
            user("plain", "p", "null"),
            user("cut", "", "'==MULTI_SCRAM==,10000,===SHA1===AA=='"),
            user("unknown", "", "'==OTHER=='"),
            user("shorter", "", "'==SCRAM==,a'"),
            user("bad/name", "p", "null"),
            "insert into blocklist values ('plain', 'b.example', 'spam')");
    ImportedAccount many = read.account("many@b.example");
    List<ScramKeys> keys = ((Credentials.Keys) many.credentials()).keys();
    assertThat(keys).extracting(ScramKeys::hash).containsExactly("SHA-1", "SHA-512");
    assertThat(Passwords.matches(new Account(many.jid(), keys, Instant.EPOCH), "capulet")).isTrue();
    assertThat(many.disabled()).isFalse();
    assertThat(read.account("plain@b.example").credentials())
        .isEqualTo(new Credentials.Password("p"));
    assertThat(read.account("plain@b.example").disabled()).isTrue();
    assertThat(read.account("cut@b.example").credentials())
        .isEqualTo(new Credentials.None("its keys are damaged"));
    assertThat(read.account("unknown@b.example").credentials())
        .isEqualTo(new Credentials.None("its keys have an unknown form"));
    assertThat(read.account("shorter@b.example").credentials())
        .isEqualTo(new Credentials.None("its keys are damaged"));
    assertThat(read.omissions).hasSize(1);
  }

  private static String archived(long id, String from, String remote, String way, String message) {
    return "insert into mam_message values (%d, 1, '%s', '%s', '', '%s', x'%s', null, null, 0)"
        .formatted(id << 8, from, remote, way, message);
  }

  @Test
  void addressesAreThoseOfTheColumnsIfTheMessageHasNone() throws IOException, SQLException {
    String message = hex("<message><body>hi</body></message>");
    List<ImportedMessage> messages =
        read(
                archived(1, "c.example@carol/r", "c.example:carol", "I", message),
                archived(2, "/r", "c.example:carol", "O", message),
                archived(3, "nurse", "nurse", "I", message))
            .messages
            .getOrDefault(JULIET, List.of());
    assertThat(messages.subList(2, 5))
        .extracting(each -> each.message().from() + " " + each.message().to())
        .containsExactly(
            "carol@c.example/r juliet@move.example",
            "juliet@move.example/r carol@c.example",
            "nurse@move.example juliet@move.example");
  }

  @Test
  void aDamagedRowCostsItselfOnly() throws IOException, SQLException {
    RecordingReceiver read =
        read(
            archived(1, "", "nurse", "I", "8350"),
            archived(2, "", "nurse", "I", hex("<message><body>")),
            archived(3, "", "nurse", "I", "ff"),
            archived(
                4, "", "nurse", "I", hex("<message type='groupchat'><body>g</body></message>")),
            "insert into offline_message values (9, 1, 2, 'move.example', 'juliet', 'x.example',"
                + " 'expired', null)",
            "insert into offline_message values (9, 1, null, 'move.example', 'juliet',"
                + " 'carol@x.example', 'none', null)",
            "insert into muc_rooms values (2, 'rooms.move.example', 'damaged', '[1]')",
            "insert into muc_rooms values (3, 'rooms.move.example', 'bad name', '{}')",
            "insert into pubsub_nodes values (3, 'juliet@move.example', 'n', 'pep', '[]', '{')",
            "insert into mam_config values (1, '', 'N')");
    assertThat(read.messages.getOrDefault(JULIET, List.of())).hasSize(6);
    assertThat(read.rooms).hasSize(1);
    assertThat(read.account("juliet@move.example").nodes()).hasSize(2);
    assertThat(read.omissions)
        .extracting(each -> each.what() + ": " + each.why())
        .containsExactly(
            "a PEP node of juliet@move.example: damaged JSON",
            "the archive's preferences of juliet@move.example: set them again with a client",
            "bad name@rooms.move.example: not an address",
            "damaged@rooms.move.example: not one object in JSON",
            "a message: not one element",
            "a message: a term ends early",
            "a message: damaged XML: an end tag that does not match",
            "a message: neither XML nor a term of Erlang");
  }
}
