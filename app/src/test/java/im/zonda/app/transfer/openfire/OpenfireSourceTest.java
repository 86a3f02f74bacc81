package im.zonda.app.transfer.openfire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Subscription;
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
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tables have the columns that version 40 of Openfire's schema has, as far as they are read.
class OpenfireSourceTest {
  private static final Jid JULIET = Jid.of("juliet@a.example");

  @TempDir private Path folder;

  private void execute(String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("openfire.db"));
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @BeforeEach
  void createTables() throws SQLException {
    execute(
        "create table ofUser (username, plainPassword, encryptedPassword, name, email,"
            + " creationDate, modificationDate)",
        "create table ofUserScram (username, mechanism, storedKey, serverKey, salt, iterations)",
        "create table ofUserFlag (username, name, startTime, endTime)",
        "create table ofOffline (username, messageID, creationDate, messageSize, stanza)",
        "create table ofRoster (rosterID, username, jid, sub, ask, recv, nick, stanza)",
        "create table ofRosterGroups (rosterID, rank, groupName)",
        "create table ofVCard (username, vcard)",
        "create table ofProperty (name, propValue, encrypted)",
        "create table ofPrivacyList (username, name, isDefault, list)",
        "create table ofMucService (serviceID, subdomain)",
        "create table ofMucRoom (serviceID, roomID, creationDate, name, naturalName, description,"
            + " canChangeSubject, maxUsers, publicRoom, moderated, membersOnly, canInvite,"
            + " roomPassword, canDiscoverJID, logEnabled, subject)",
        "create table ofMucAffiliation (roomID, jid, affiliation)",
        "create table ofMucMember (roomID, jid, nickname)",
        "create table ofMucConversationLog (roomID, messageID, sender, nickname, logTime,"
            + " subject, body, stanza)",
        "create table ofPubsubNode (serviceID, nodeID, leaf, maxItems, accessModel,"
            + " publisherModel, persistItems, deliverPayloads, notifyDelete, notifyRetract,"
            + " payloadType, description, name)",
        "create table ofPubsubAffiliation (serviceID, nodeID, jid, affiliation)",
        "create table ofPubsubItem (serviceID, nodeID, id, jid, creationDate, payload)",
        "create table ofMessageArchive (messageID, fromJID, fromJIDResource, toJID,"
            + " toJIDResource, sentDate, stanza, body)");
  }

  private RecordingReceiver read() throws IOException {
    ForeignDatabase database = ForeignDatabase.openFile(folder.resolve("openfire.db"), folder);
    assertThat(OpenfireSource.recognises(database)).isTrue();
    try (OpenfireSource source = new OpenfireSource(database, "a.example", new FakeClock())) {
      return RecordingReceiver.of(source);
    }
  }

  private static String user(String name, String plain, String encrypted) {
    return "insert into ofUser values ('%s', %s, %s, null, null, '001600000000000', '0')"
        .formatted(name, plain, encrypted);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void passwordsAreTaken() throws IOException, SQLException {
    ScramKeys keys = Passwords.derive("capulet", "SHA-1", new byte[] {1, 2}, 4_096);
    execute(
        user("juliet", "null", "'00aa'"),
        "insert into ofUserScram values ('juliet', 'SCRAM-SHA-1', '%s', '%s', '%s', 4096)"
            .formatted(base64(keys.storedKey()), base64(keys.serverKey()), base64(keys.salt())),
        user("romeo", "'montague'", "null"),
        user("paris", "null", "'00aa'"),
        user("nurse\\40b", "null", "null"),
        user("bad/name", "null", "null"),
        "insert into ofUserFlag values ('romeo', 'lockout', null, null)",
        "insert into ofUserFlag values ('paris', 'lockout', null, '000000000000001')");
    RecordingReceiver read = read();
    ImportedAccount juliet = read.account("juliet@a.example");
    Account account =
        new Account(JULIET, ((Credentials.Keys) juliet.credentials()).keys(), Instant.EPOCH);
    assertThat(Passwords.matches(account, "capulet")).isTrue();
    assertThat(juliet.created()).isEqualTo(Instant.ofEpochMilli(1_600_000_000_000L));
    assertThat(read.account("romeo@a.example").credentials())
        .isEqualTo(new Credentials.Password("montague"));
    assertThat(read.account("romeo@a.example").disabled()).isTrue();
    assertThat(read.account("paris@a.example").disabled()).isFalse();
    assertThat(read.account("paris@a.example").credentials())
        .isEqualTo(
            new Credentials.None(
                "Openfire has encrypted its password, and the database has no key of it"));
    assertThat(read.account("nurse\\40b@a.example").roster()).isEmpty();
    assertThat(read.omissions).hasSize(1);
  }

  @Test
  void contactsCardsAndListsAreTaken() throws IOException, SQLException {
    execute(
        user("juliet", "'p'", "null"),
        "insert into ofRoster values (1, 'juliet', 'romeo@b.example', 3, -1, -1, 'Romeo', null)",
        "insert into ofRosterGroups values (1, 0, 'Friends')",
        "insert into ofRoster values (2, 'juliet', 'x@b.example', 0, 0, -1, '', null)",
        "insert into ofRoster values (3, 'juliet', 'y@b.example', 0, -1, 1, null,"
            + " '<presence type=\"subscribe\" from=\"y@b.example\"><status>Hi</status></presence>')",
        "insert into ofRoster values (4, 'juliet', 'z@b.example', -1, -1, -1, null, null)",
        "insert into ofVCard values ('juliet', '<vCard xmlns=\"vcard-temp\"><FN>J</FN></vCard>')",
        "insert into ofPrivacyList values ('juliet', 'l', 1, '<list xmlns=\"jabber:iq:privacy\""
            + " name=\"l\"><item type=\"jid\" value=\"b@b.example\" action=\"deny\" order=\"1\"/>"
            + "</list>')",
        "insert into ofPubsubNode values ('juliet@a.example', 'my:prefs', 1, -1, 'whitelist',"
            + " 'publishers', 1, 1, 1, 1, null, null, null)",
        "insert into ofPubsubNode values ('juliet@a.example', 'juliet@a.example', 0, -1, 'open',"
            + " 'publishers', 1, 1, 1, 1, null, null, null)",
        "insert into ofPubsubAffiliation values ('juliet@a.example', 'my:prefs',"
            + " 'romeo@b.example', 'member')",
        "insert into ofPubsubItem values ('juliet@a.example', 'my:prefs', 'current',"
            + " 'juliet@a.example/x', '001600000000000', '<p xmlns=\"my:prefs\">1</p>')");
    RecordingReceiver read = read();
    ImportedAccount juliet = read.account("juliet@a.example");
    assertThat(juliet.roster()).hasSize(3);
    RosterItem romeo = juliet.roster().getFirst();
    assertThat(romeo.subscription()).isEqualTo(Subscription.BOTH);
    assertThat(romeo.groups()).containsExactly("Friends");
    assertThat(juliet.roster().get(1).ask()).isTrue();
    assertThat(juliet.roster().get(2).listed()).isFalse();
    assertThat(String.valueOf(juliet.roster().get(2).request())).contains("<status>Hi</status>");
    assertThat(juliet.vcard()).isNotNull();
    assertThat(juliet.blocked()).containsExactly(Jid.of("b@b.example"));
    assertThat(juliet.privateXml()).hasSize(1);
    assertThat(juliet.nodes())
        .singleElement()
        .satisfies(node -> {
          assertThat(node.name()).isEqualTo("my:prefs");
          assertThat(node.options()).containsEntry("pubsub#access_model", List.of("whitelist"));
          assertThat(node.affiliations()).containsEntry(Jid.of("romeo@b.example"), "member");
          assertThat(node.items().getFirst().payload())
              .asString(StandardCharsets.UTF_8)
              .isEqualTo("<p xmlns='my:prefs'>1</p>");
        });
    assertThat(read.reasons()).isEmpty();
  }

  @Test
  void messagesAreTaken() throws IOException, SQLException {
    execute(
        user("juliet", "'p'", "null"),
        "insert into ofMucService values (1, 'conference')",
        "insert into ofOffline values ('juliet', 1, '001600000000000', 1, '<message"
            + " from=\"r@b.example/x\" to=\"juliet@a.example\" type=\"chat\"><body>1</body>"
            + "</message>')",
        "insert into ofMessageArchive values (1, 'r@b.example', 'x', 'juliet@a.example', '',"
            + " 1600000000000, null, 'two')",
        "insert into ofMessageArchive values (2, 'juliet@a.example', 'x', 'r@b.example', null,"
            + " 1600000001000, '<message from=\"juliet@a.example/x\" to=\"r@b.example\""
            + " type=\"chat\"><body>three</body></message>', 'three')",
        "insert into ofMessageArchive values (3, 'juliet@a.example', 'x',"
            + " 'room@conference.a.example', null, 1600000001000, null, 'to a room')",
        "insert into ofMessageArchive values (4, 'r@b.example', 'x', 'juliet@a.example', null,"
            + " 1600000001000, '<message', 'damaged')");
    RecordingReceiver read = read();
    List<ImportedMessage> messages = read.messages.getOrDefault(JULIET, List.of());
    assertThat(messages)
        .extracting(each -> each.with() + " " + each.waiting() + " " + each.time())
        .containsExactly(
            "r@b.example/x true 2020-09-13T12:26:40Z",
            "r@b.example/x false 2020-09-13T12:26:40Z",
            "r@b.example false 2020-09-13T12:26:41Z");
    assertThat(read.omissions).hasSize(1);
  }

  /// What was encrypted is what Openfire's own class has made with this key.
  @Test
  void encryptedPasswordsAreTaken() throws IOException, SQLException {
    execute(
        "insert into ofProperty values ('passwordKey', 'Xk2hPq7Lr9TzWv4', null)",
        user(
            "juliet",
            "null",
            "'91124813a7cd85b62c33f28524b46867341c530696e8e05c70dfd2b09ad6846bf1e9f3ef7d772927'"),
        user(
            "romeo",
            "null",
            "'331c08e11e5e7c63ba6b75052b938047e410b83bcb9cab31fe46323a40e5e8bfec7fe6bd20a65ff4"
                + "feec793236362be3a6adcc1c9f150387'"),
        user("paris", "null", "'e414070d2b261bb0ced4d6adedeb9dc3b770e2c4ce7d40c3'"),
        user("empty", "null", "'8147380a46d61831da1343edd89af247'"),
        user(
            "other",
            "null",
            "'ec212a6f3f397765433c040b49660db7bd4581acc35cd6f8cdf93a37eebfb0386f8417f138308eeb'"),
        user("odd", "null", "'91124813a7c'"),
        user("short", "null", "'91124813a7cd85b6'"),
        user("nothex", "null", "'zz124813a7cd85b691124813a7cd85b6'"));
    RecordingReceiver read = read();
    assertThat(read.account("juliet@a.example").credentials())
        .isEqualTo(new Credentials.Password("secret-juliet"));
    assertThat(read.account("romeo@a.example").credentials())
        .isEqualTo(new Credentials.Password("secr\u00e9t \u2764 \ud83d\ude00 long enough"));
    assertThat(read.account("paris@a.example").credentials())
        .isEqualTo(new Credentials.Password("abcd"));
    for (String name : List.of("empty", "other")) {
      assertThat(read.account(name + "@a.example").credentials().toString())
          .contains("a key of security.xml");
    }
    for (String name : List.of("odd", "short", "nothex")) {
      assertThat(read.account(name + "@a.example").credentials().toString())
          .contains("its encrypted password is damaged");
    }
  }

  @Test
  void aKeyThatIsEncryptedIsNotUsed() throws IOException, SQLException {
    execute(
        "insert into ofProperty values ('passwordKey', 'Xk2hPq7Lr9TzWv4', 1)",
        user("paris", "null", "'e414070d2b261bb0ced4d6adedeb9dc3b770e2c4ce7d40c3'"));
    assertThat(read().account("paris@a.example").credentials().toString())
        .contains("its key is encrypted itself");
  }

  @Test
  void roomsAreTaken() throws IOException, SQLException {
    execute(
        "insert into ofProperty values ('xmpp.domain', 'b.example', 0)",
        "insert into ofMucService values (1, 'conference')",
        "insert into ofMucRoom values (1, 7, '001600000000000', 'coven', 'The Coven', 'Witches',"
            + " 1, 30, 1, 0, 1, 0, 'cauldron', 1, 1, '<message"
            + " from=\"coven@conference.b.example/J\" type=\"groupchat\"><subject>S</subject>"
            + "</message>')",
        "insert into ofMucRoom values (1, 8, '001600000000000', 'old', 'Old', '',"
            + " 0, 0, 0, 0, 0, 0, null, 0, 0, 'Text')",
        "insert into ofMucAffiliation values (7, 'juliet@b.example', 10)",
        "insert into ofMucAffiliation values (7, 'p@b.example', 40)",
        "insert into ofMucAffiliation values (7, '@', 20)",
        "insert into ofMucMember values (7, 'r@b.example', 'R')",
        "insert into ofMucConversationLog values (7, 1, 'r@b.example/x', 'R', '001600000000000',"
            + " null, 'one', null)",
        "insert into ofMucConversationLog values (7, 2, 'r@b.example/x', 'R', '001600000001000',"
            + " null, 'two', '<message from=\"coven@conference.b.example/R\" to=\"x@y.example\""
            + " type=\"groupchat\" id=\"i\"><body>two</body></message>')");
    RecordingReceiver read = read();
    ImportedRoom room =
        Objects.requireNonNull(read.rooms.get(Jid.of("coven@conference.b.example")));
    assertThat(room.config())
        .containsEntry("muc#roomconfig_roomname", List.of("The Coven"))
        .containsEntry("muc#roomconfig_maxusers", List.of("30"))
        .containsEntry("muc#roomconfig_membersonly", List.of("1"))
        .containsEntry("muc#roomconfig_roomsecret", List.of("cauldron"))
        .containsEntry("muc#roomconfig_whois", List.of("anyone"));
    assertThat(room.affiliations())
        .extracting(each -> each.user() + " " + each.affiliation() + " " + each.nick())
        .containsExactly(
            "juliet@b.example owner null", "p@b.example outcast null", "r@b.example member R");
    assertThat(room.subject()).isEqualTo(new ImportedRoom.Subject("S", "J", null));
    ImportedRoom old = Objects.requireNonNull(read.rooms.get(Jid.of("old@conference.b.example")));
    assertThat(old.subject()).isEqualTo(new ImportedRoom.Subject("Text", "", null));
    List<ImportedMessage> messages = read.messages.getOrDefault(room.jid(), List.of());
    assertThat(messages).hasSize(2);
    assertThat(messages.get(1).message().toString())
        .contains("<body>two</body>", "jid='r@b.example/x'", "id='i'")
        .doesNotContain("to=");
    assertThat(read.omissions).hasSize(1);
  }

  @Test
  void theHostMustBeKnown() throws IOException {
    try (ForeignDatabase database =
        ForeignDatabase.openFile(folder.resolve("openfire.db"), folder)) {
      assertThatThrownBy(() -> new OpenfireSource(database, null, new FakeClock()))
          .hasMessageContaining("--host");
    }
  }
}
