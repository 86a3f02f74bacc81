package im.zonda.app.transfer.prosody;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedNode;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The data is that of Prosody 0.12.3 after `interop/slixmpp/fill.py`.
class ProsodySourceTest {
  private static final Jid COVEN = Jid.of("coven@rooms.move.example");

  @TempDir private Path folder;

  private static Path data() {
    try {
      return Path.of(Objects.requireNonNull(ProsodySourceTest.class.getResource("data")).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  static RecordingReceiver read(Path folder) throws IOException {
    try (ProsodySource source = ProsodySource.ofFolder(folder, new FakeClock())) {
      return RecordingReceiver.of(source);
    }
  }

  @Test
  void realDataIsTaken() throws IOException {
    assertThat(ProsodySource.recognises(data())).isTrue();
    try (ProsodySource source = ProsodySource.ofFolder(data(), new FakeClock())) {
      assertThat(source.countAccounts()).isEqualTo(3);
    }
    check(read(data()));
  }

  @Test
  void realDataOfADatabaseIsTaken() throws IOException {
    Path file = data().resolveSibling("prosody.sqlite");
    try (ForeignDatabase database = ForeignDatabase.openFile(file, folder);
        ProsodySource source = ProsodySource.ofDatabase(database, new FakeClock())) {
      assertThat(ProsodySource.recognises(database)).isTrue();
      assertThat(source.countAccounts()).isEqualTo(3);
      check(RecordingReceiver.of(source));
    }
  }

  /// What `fill.py` has done, whichever storage it was read from.
  static void check(RecordingReceiver read) {
    assertThat(read.reasons()).isEmpty();
    assertThat(read.accounts)
        .containsOnlyKeys(
            Jid.of("juliet@move.example"),
            Jid.of("romeo@move.example"),
            Jid.of("nurse@move.example"));
    ImportedAccount juliet = read.account("juliet@move.example");
    for (ImportedAccount each : read.accounts.values()) {
      Credentials.Keys keys = (Credentials.Keys) each.credentials();
      Account account = new Account(each.jid(), keys.keys(), Instant.EPOCH);
      assertThat(Passwords.matches(account, "secret-" + each.jid().local())).isTrue();
      assertThat(Passwords.matches(account, "secret")).isFalse();
    }
    RosterItem romeo =
        juliet.roster().stream().filter(RosterItem::listed).findFirst().orElseThrow();
    assertThat(romeo.jid()).isEqualTo(Jid.of("romeo@move.example"));
    assertThat(romeo.name()).isEqualTo("Rom\u00e9o \"R\"");
    assertThat(romeo.subscription()).isEqualTo(Subscription.BOTH);
    assertThat(romeo.groups()).containsExactlyInAnyOrder("Friends", "Verona");
    RosterItem nurse =
        juliet.roster().stream().filter(each -> !each.listed()).findFirst().orElseThrow();
    assertThat(String.valueOf(nurse.request())).contains("from='nurse@move.example'");
    assertThat(read.account("nurse@move.example").roster().getFirst().ask()).isTrue();
    assertThat(juliet.privateXml().getFirst())
        .hasToString("<exodus xmlns='exodus:prefs'><defaultnick>J</defaultnick></exodus>");
    assertThat(juliet.blocked())
        .containsExactlyInAnyOrder(
            Jid.of("paris@move.example"), Jid.of("tybalt@elsewhere.example"));
    checkNodes(juliet);
    checkMessages(read);
    checkRoom(read);
  }

  private static void checkNodes(ImportedAccount juliet) {
    ImportedNode bookmarks =
        juliet.nodes().stream()
            .filter(each -> each.name().equals("urn:xmpp:bookmarks:1"))
            .findFirst()
            .orElseThrow();
    assertThat(bookmarks.options()).containsEntry("pubsub#access_model", List.of("whitelist"));
    assertThat(bookmarks.items().getFirst().id()).isEqualTo("coven@rooms.move.example");
    assertThat(bookmarks.items().getFirst().payload())
        .asString(StandardCharsets.UTF_8)
        .contains("name='Coven'", "autojoin='true'", "<nick>Juliet</nick>")
        .doesNotContain("stamp");
    assertThat(juliet.nodes())
        .extracting(ImportedNode::name)
        .contains("http://jabber.org/protocol/nick");
  }

  private static void checkMessages(RecordingReceiver read) {
    List<ImportedMessage> messages =
        read.messages.getOrDefault(Jid.of("juliet@move.example"), List.of());
    assertThat(messages.stream().filter(ImportedMessage::waiting)).hasSize(2);
    List<ImportedMessage> archive = messages.stream().filter(each -> !each.waiting()).toList();
    assertThat(archive)
        .extracting(each -> bodyOf(each))
        .containsExactly(
            "But soft! What light?",
            "Ay me! <&> ' \u2764",
            "Did my heart love till now?",
            "Madam!");
    assertThat(archive.get(1).with()).isEqualTo(Jid.of("romeo@move.example"));
    assertThat(archive.get(0).with()).isEqualTo(Jid.of("romeo@move.example/script"));
    assertThat(archive.get(0).time())
        .isBetween(Instant.parse("2026-11-28T16:00:00Z"), Instant.parse("2026-11-28T17:00:00Z"));
  }

  private static String bodyOf(ImportedMessage message) {
    return message.message().payloads().stream()
        .filter(each -> each.name().name().equals("body"))
        .findFirst()
        .orElseThrow()
        .text();
  }

  private static void checkRoom(RecordingReceiver read) {
    ImportedRoom room = Objects.requireNonNull(read.rooms.get(COVEN));
    assertThat(room.config())
        .containsEntry("muc#roomconfig_roomname", List.of("The Coven"))
        .containsEntry("muc#roomconfig_roomdesc", List.of("Where witches meet"))
        .containsEntry("muc#roomconfig_membersonly", List.of("1"))
        .containsEntry("muc#roomconfig_whois", List.of("anyone"))
        .containsEntry("muc#roomconfig_roomsecret", List.of("cauldron"));
    assertThat(room.affiliations())
        .extracting(each -> each.user() + " " + each.affiliation())
        .contains("juliet@move.example owner", "romeo@move.example member");
    ImportedRoom.Subject subject = Objects.requireNonNull(room.subject());
    assertThat(subject.text()).isEqualTo("Double, double");
    assertThat(subject.author()).isEqualTo("Juliet");
    List<ImportedMessage> messages = read.messages.getOrDefault(COVEN, List.of());
    assertThat(messages)
        .extracting(each -> bodyOf(each))
        .contains("Fire burn", "and cauldron bubble");
    assertThat(messages).allMatch(each -> each.with().bare().equals(COVEN));
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /// A store that cannot be read costs itself, an account itself only.
  @Test
  void damagedFilesAreLeftOut() throws IOException {
    write("a%2eexample/accounts/anna.dat", "return { [\"password\"] = \"p\" };");
    write("a%2eexample/accounts/bert.dat", "return os.execute(\"x\");");
    write("a%2eexample/accounts/carl%2fx.dat", "return { [\"password\"] = \"p\" };");
    write("a%2eexample/accounts/d%zz.dat", "return { [\"password\"] = \"p\" };");
    write("a%2eexample/accounts/emil.dat", "return { [\"password\"] = \"p\"; disabled = true };");
    write(
        "a%2eexample/roster/anna.dat", "return { [\"x@y.example\"] = { subscription = \"both\" } ");
    write(
        "a%2eexample/archive/anna.list",
        "item({ name = \"message\"; attr = { from = \"x@y.example\"; type = \"chat\" };"
            + " { name = \"body\"; attr = {}; \"one\" }; when = 1000; key = \"k\" });\n"
            + "item({ name = \"message\"; attr = { from = \"@@\" }; when = 1000 });\n"
            + "item({ name = \"a b\"; attr = {}; when = 1000 });\n"
            + "item({ name = \"message\"; attr = {}; \"\\0\"; when = 1000 });\n"
            + "item({ name = \"message\"; attr = {}; when = 1e300 });\n"
            + "item({ ");
    RecordingReceiver read = read(folder);
    assertThat(read.accounts).containsOnlyKeys(Jid.of("anna@a.example"), Jid.of("emil@a.example"));
    assertThat(read.account("emil@a.example").disabled()).isTrue();
    assertThat(read.account("anna@a.example").roster()).isEmpty();
    assertThat(read.messages.getOrDefault(Jid.of("anna@a.example"), List.of())).hasSize(1);
    assertThat(read.reasons())
        .contains("bert.dat:1: `os` is not a value", "carl/x", "roster", "anna.list:6");
    assertThat(read.omissions).hasSize(8);
  }

  @Test
  void symbolicLinksAreNotFollowed() throws IOException {
    Path outside = Files.createTempFile("outside", ".dat");
    Files.writeString(outside, "return { [\"password\"] = \"p\" };");
    try {
      write("a%2eexample/accounts/anna.dat", "return { [\"password\"] = \"p\" };");
      Files.createSymbolicLink(folder.resolve("a%2eexample/accounts/bert.dat"), outside);
      Files.createSymbolicLink(folder.resolve("b%2eexample"), folder.resolve("a%2eexample"));
      RecordingReceiver read = read(folder);
      assertThat(read.accounts).containsOnlyKeys(Jid.of("anna@a.example"));
      assertThat(read.reasons()).contains("bert.dat is a symbolic link");
    } finally {
      Files.delete(outside);
    }
  }

  /// With another way to log in, Prosody has no accounts in its data.
  @Test
  void accountsWithoutPasswordsAreFoundByTheirContacts() throws IOException {
    write(
        "a%2eexample/roster/anna.dat", "return { [\"x@y.example\"] = { subscription = \"to\" } };");
    RecordingReceiver read = read(folder);
    assertThat(read.account("anna@a.example").credentials())
        .isEqualTo(new Credentials.None("this Prosody does not keep passwords"));
    assertThat(read.account("anna@a.example").roster()).hasSize(1);
  }

  @Test
  void oldFormsAreRead() throws IOException {
    write("a%2eexample/accounts/anna.dat", "return { password = \"p\" };");
    write(
        "a%2eexample/roster/anna.dat",
        "return { pending = { [\"p@y.example\"] = true }; [\"x@y.example\"] ="
            + " { subscription = \"to\"; groups = {} } };");
    write(
        "a%2eexample/privacy/anna.dat",
        "return { default = \"d\"; lists = { d = { items = { { type = \"jid\"; action = \"deny\";"
            + " value = \"b@y.example\" } } } } };");
    write(
        "rooms%2ea%2eexample/config/room.dat",
        "return { jid = \"room@rooms.a.example\"; _data = { hidden = true };"
            + " _affiliations = { [\"anna@a.example\"] = \"owner\"; [\"@\"] = \"admin\" };"
            + " _affiliation_data = { [\"anna@a.example\"] = { reserved_nickname = \"A\" } } };");
    RecordingReceiver read = read(folder);
    assertThat(read.account("anna@a.example").roster()).hasSize(2);
    assertThat(read.account("anna@a.example").blocked()).containsExactly(Jid.of("b@y.example"));
    ImportedRoom room = Objects.requireNonNull(read.rooms.get(Jid.of("room@rooms.a.example")));
    assertThat(room.config()).containsEntry("muc#roomconfig_publicroom", List.of("0"));
    assertThat(room.affiliations()).singleElement().extracting("nick").isEqualTo("A");
  }
}
