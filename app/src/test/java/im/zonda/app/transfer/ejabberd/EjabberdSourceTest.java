package im.zonda.app.transfer.ejabberd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedNode;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.app.transfer.portable.PortableSource;
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
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The data is that of ejabberd 23.01 after `interop/slixmpp/fill.py`.
class EjabberdSourceTest {
  private static final Jid JULIET = Jid.of("juliet@move.example");
  private static final Jid COVEN = Jid.of("coven@rooms.move.example");

  @TempDir private Path folder;

  private static Path resource(String name) {
    try {
      return Path.of(Objects.requireNonNull(EjabberdSourceTest.class.getResource(name)).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private RecordingReceiver read(String name, @Nullable String host) throws IOException {
    ForeignDatabase database = ForeignDatabase.openFile(resource(name), folder);
    assertThat(EjabberdSource.recognises(database)).isTrue();
    try (EjabberdSource source = new EjabberdSource(database, host, new FakeClock())) {
      assertThat(source.countAccounts()).isEqualTo(3);
      return RecordingReceiver.of(source);
    }
  }

  @Test
  void theOldSchemaIsTaken() throws IOException {
    check(read("old.sqlite", "move.example"));
  }

  @Test
  void theNewSchemaIsTaken() throws IOException {
    check(read("new.sqlite", null));
  }

  @Test
  void theDumpOfItsOwnDatabaseIsTaken() throws IOException {
    assertThat(MnesiaSource.recognises(resource("dump.txt"))).isTrue();
    assertThat(MnesiaSource.recognises(resource("new.sqlite"))).isFalse();
    try (MnesiaSource source = new MnesiaSource(resource("dump.txt"), new FakeClock())) {
      assertThat(source.countAccounts()).isEqualTo(3);
      check(RecordingReceiver.of(source));
    }
  }

  @Test
  void theOldSchemaNeedsItsHost() throws IOException {
    try (ForeignDatabase database = ForeignDatabase.openFile(resource("old.sqlite"), folder)) {
      assertThatThrownBy(() -> new EjabberdSource(database, null, new FakeClock()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("--host");
    }
  }

  /// Its document encodes keys twice.
  @Test
  void theDocumentIsTaken() throws IOException {
    try (PortableSource source = new PortableSource(resource("pie/all.xml"), new FakeClock())) {
      RecordingReceiver read = RecordingReceiver.of(source);
      checkAccounts(read);
      assertThat(read.account("juliet@move.example").vcard()).isNotNull();
      assertThat(read.messages.getOrDefault(JULIET, List.of())).hasSize(2);
      assertThat(read.reasons()).isEmpty();
    }
  }

  private static void check(RecordingReceiver read) {
    assertThat(read.reasons()).isEmpty();
    checkAccounts(read);
    ImportedAccount juliet = read.account("juliet@move.example");
    assertThat(String.valueOf(juliet.vcard())).contains("<FN>Juliet Capulet</FN>");
    ImportedNode bookmarks =
        juliet.nodes().stream()
            .filter(each -> each.name().equals("urn:xmpp:bookmarks:1"))
            .findFirst()
            .orElseThrow();
    assertThat(bookmarks.options()).containsEntry("pubsub#access_model", List.of("whitelist"));
    assertThat(bookmarks.items().getFirst().id()).isEqualTo("coven@rooms.move.example");
    assertThat(bookmarks.items().getFirst().published())
        .isAfter(Instant.parse("2026-11-28T16:00:00Z"));
    assertThat(bookmarks.items().getFirst().payload())
        .asString(StandardCharsets.UTF_8)
        .contains("<nick>Juliet</nick>");
    List<ImportedMessage> messages = read.messages.getOrDefault(JULIET, List.of());
    assertThat(messages.stream().filter(ImportedMessage::waiting)).hasSize(2);
    assertThat(messages.stream().filter(each -> !each.waiting())).hasSize(4);
    checkRoom(read);
  }

  private static void checkAccounts(RecordingReceiver read) {
    assertThat(read.accounts).hasSize(3);
    for (ImportedAccount each : read.accounts.values()) {
      Credentials.Keys keys = (Credentials.Keys) each.credentials();
      Account account = new Account(each.jid(), keys.keys(), Instant.EPOCH);
      assertThat(Passwords.matches(account, "secret-" + each.jid().local())).isTrue();
    }
    ImportedAccount juliet = read.account("juliet@move.example");
    RosterItem romeo =
        juliet.roster().stream().filter(RosterItem::listed).findFirst().orElseThrow();
    assertThat(romeo.name()).isEqualTo("Rom\u00e9o \"R\"");
    assertThat(romeo.subscription()).isEqualTo(Subscription.BOTH);
    assertThat(romeo.groups()).containsExactlyInAnyOrder("Friends", "Verona");
    assertThat(juliet.roster().stream().filter(each -> each.request() != null))
        .singleElement()
        .extracting(RosterItem::jid)
        .isEqualTo(Jid.of("nurse@move.example"));
    assertThat(juliet.privateXml()).hasSize(1);
    assertThat(juliet.blocked())
        .containsExactlyInAnyOrder(
            Jid.of("paris@move.example"), Jid.of("tybalt@elsewhere.example"));
  }

  private static void checkRoom(RecordingReceiver read) {
    ImportedRoom room = Objects.requireNonNull(read.rooms.get(COVEN));
    assertThat(room.config())
        .containsEntry("muc#roomconfig_roomname", List.of("The Coven"))
        .containsEntry("muc#roomconfig_membersonly", List.of("1"))
        .containsEntry("muc#roomconfig_whois", List.of("anyone"))
        .containsEntry("muc#roomconfig_passwordprotectedroom", List.of("1"))
        .containsEntry("muc#roomconfig_roomsecret", List.of("cauldron"));
    assertThat(room.affiliations())
        .extracting(each -> each.user() + " " + each.affiliation() + " " + each.reason())
        .containsExactlyInAnyOrder(
            "juliet@move.example owner null",
            "paris@move.example outcast Too late",
            "romeo@move.example member null");
    assertThat(Objects.requireNonNull(room.subject()).text()).isEqualTo("Double, double");
    List<ImportedMessage> messages = read.messages.getOrDefault(COVEN, List.of());
    assertThat(messages)
        .extracting(ImportedMessage::with)
        .containsExactly(
            Jid.of("coven@rooms.move.example/Juliet"),
            Jid.of("coven@rooms.move.example/Juliet"),
            Jid.of("coven@rooms.move.example/Romeo"));
    assertThat(messages.get(2).message().toString())
        .contains("and cauldron bubble", "jid='romeo@move.example/script'");
  }
}
