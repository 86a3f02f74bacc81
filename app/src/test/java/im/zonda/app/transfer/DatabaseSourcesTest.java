package im.zonda.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.transfer.ejabberd.EjabberdSource;
import im.zonda.app.transfer.mongooseim.MongooseimSource;
import im.zonda.app.transfer.openfire.OpenfireSource;
import im.zonda.app.transfer.prosody.ProsodySource;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.store.Account;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Each source that is a database gives the same on each kind of database.
class DatabaseSourcesTest {
  private static final String HOST = "move.example";

  @TempDir private Path folder;

  static Stream<Arguments> samples() {
    return Stream.of(
            "prosody/prosody.sqlite",
            "ejabberd/old.sqlite",
            "ejabberd/new.sqlite",
            "mongooseim/sample.sql",
            "openfire/sample.sql")
        .flatMap(sample -> SampleDatabase.all().stream().map(kind -> Arguments.of(sample, kind)));
  }

  private static ImportSource source(String sample, ForeignDatabase database) throws IOException {
    FakeClock clock = new FakeClock();
    return switch (sample.substring(0, sample.indexOf('/'))) {
      case "prosody" -> ProsodySource.ofDatabase(database, clock);
      case "ejabberd" -> new EjabberdSource(database, HOST, clock);
      case "mongooseim" -> new MongooseimSource(database, clock);
      default -> new OpenfireSource(database, HOST, clock);
    };
  }

  private RecordingReceiver read(String sample, SampleDatabase kind)
      throws IOException, SQLException {
    try (ImportSource source = source(sample, kind.open(sample, folder))) {
      assertThat(source.countAccounts()).isEqualTo(3);
      return RecordingReceiver.of(source);
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void allIsRead(String sample, SampleDatabase kind) throws IOException, SQLException {
    RecordingReceiver read = read(sample, kind);
    assertThat(read.reasons()).isEmpty();
    assertThat(lines(read)).containsExactlyElementsOf(lines(read(sample, SampleDatabase.SQLITE)));
    for (ImportedAccount each : read.accounts.values()) {
      String password = "secret-" + each.jid().local();
      switch (each.credentials()) {
        case Credentials.Keys(var keys) ->
            assertThat(Passwords.matches(new Account(each.jid(), keys, Instant.EPOCH), password))
                .isTrue();
        case Credentials.Password(String text) -> assertThat(text).isEqualTo(password);
        case Credentials.None none -> assertThat(none).isNull();
      }
    }
    assertThat(read.messages.getOrDefault(Jid.of("juliet@move.example"), List.of()))
        .extracting(ImportedMessage::waiting)
        .containsExactly(true, true, false, false, false, false);
    assertThat(read.messages.getOrDefault(Jid.of("coven@rooms.move.example"), List.of()))
        .extracting(each -> String.valueOf(each.message()))
        .anyMatch(each -> each.contains("and cauldron bubble"));
  }

  /// All that was read, as text.
  private static List<String> lines(RecordingReceiver read) {
    List<String> lines = new ArrayList<>();
    for (ImportedAccount each : read.accounts.values()) {
      lines.add(each.jid() + " " + each.created() + " " + each.disabled());
      for (RosterItem item : each.roster()) {
        lines.add(
            item.jid()
                + " "
                + item.name()
                + " "
                + item.subscription()
                + " "
                + item.ask()
                + " "
                + item.groups().stream().sorted().toList()
                + " "
                + item.request());
      }
      lines.add(each.vcard() + " " + each.privateXml() + " " + each.blocked());
      for (ImportedNode node :
          each.nodes().stream().sorted(Comparator.comparing(ImportedNode::name)).toList()) {
        lines.add(
            node.name() + " " + node.options() + " " + node.affiliations() + node.subscribers());
        node.items()
            .forEach(item ->
                lines.add(
                    item.id()
                        + " "
                        + item.publisher()
                        + " "
                        + item.published()
                        + " "
                        + new String(item.payload(), StandardCharsets.UTF_8)));
      }
    }
    for (ImportedRoom each : read.rooms.values()) {
      lines.add(each.jid() + " " + each.created() + each.config() + each.subject());
      lines.add(
          each.affiliations().stream()
              .map(RoomStore.Affiliation::toString)
              .sorted()
              .toList()
              .toString());
    }
    for (Map.Entry<Jid, List<ImportedMessage>> each : read.messages.entrySet()) {
      each.getValue().forEach(message -> lines.add(each.getKey() + " " + message));
    }
    return lines;
  }
}
