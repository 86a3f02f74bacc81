package im.zonda.app.transfer.destination;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.transfer.portable.PortableSource;
import im.zonda.auth.CommonHashes;
import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.blocking.BlockingModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.vcard.VcardModule;
import im.zonda.storage.memory.MemoryData;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Account;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportRunTest {
  private static final Jid JULIET = Jid.of("juliet@a.example");
  private static final Jid ROMEO = Jid.of("romeo@a.example");

  @TempDir private Path folder;

  private final FakeClock clock = new FakeClock();
  private final MemoryStores stores = new MemoryStores(clock);

  @BeforeEach
  void writeConfiguration() throws IOException {
    configure("");
  }

  private void configure(String more) throws IOException {
    Files.writeString(
        folder.resolve("zonda.toml"),
        "hosts = [\"a.example\"]\ndata = \"" + folder.resolve("data") + "\"\n" + more);
  }

  private ServerConfig config() {
    try {
      return new SettingsReader(Map.of(), Set.of())
          .read(folder.resolve("zonda.toml"), null, folder)
          .config();
    } catch (SettingsException e) {
      throw new AssertionError(e);
    }
  }

  private Path write(String users) throws IOException {
    return Files.writeString(
        folder.resolve("all.xml"),
        "<server-data xmlns='urn:xmpp:pie:0'><host jid='a.example'>\n"
            + users
            + "</host></server-data>");
  }

  private ImportReport run(@Nullable Stores to, boolean dryRun) throws IOException {
    ImportReport report = new ImportReport();
    try (PortableSource source = new PortableSource(folder.resolve("all.xml"), clock)) {
      ImportRun.run(
          source,
          new ImportTarget(to, config(), clock, new SecureRandom(), dryRun),
          report,
          (step, done, all) -> {});
    }
    return report;
  }

  private static String scram(ScramKeys keys) {
    Base64.Encoder base64 = Base64.getEncoder();
    return "<scram-credentials xmlns='urn:xmpp:pie:0#scram' mechanism='SCRAM-%s'><iter-count>%d</iter-count><salt>%s</salt><server-key>%s</server-key><stored-key>%s</stored-key></scram-credentials>"
        .formatted(
            keys.hash(),
            keys.iterations(),
            base64.encodeToString(keys.salt()),
            base64.encodeToString(keys.serverKey()),
            base64.encodeToString(keys.storedKey()));
  }

  private static String archived(String time, String from, String to, String id) {
    return """
    <result xmlns='urn:xmpp:mam:2' id='%s'><forwarded xmlns='urn:xmpp:forward:0'>
    <delay xmlns='urn:xmpp:delay' stamp='%s'/>
    <message xmlns='jabber:client' from='%s' to='%s' type='chat' id='%s'><body>%s</body>
    <stanza-id xmlns='urn:xmpp:sid:0' by='juliet@a.example' id='old'/></message>
    </forwarded></result>
    """
        .formatted(id, time, from, to, id, id);
  }

  private static String waiting(String time, String id) {
    return """
    <message xmlns='jabber:client' from='nurse@b.example/x' to='juliet@a.example' type='chat'
      id='%s'><body>%s</body><delay xmlns='urn:xmpp:delay' from='a.example' stamp='%s'/></message>
    """
        .formatted(id, id, time);
  }

  private String everything() {
    StringBuilder archive = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      archive.append(archived("2020-01-01T10:00:00Z", ROMEO + "/x", JULIET + "/y", "m" + i));
    }
    archive.append(archived("2020-01-02T10:00:00Z", "nurse@b.example/x", JULIET + "", "w1"));
    return """
    <user name='juliet'>%s
      <query xmlns='jabber:iq:roster'><item jid='romeo@a.example' subscription='both'/></query>
      <vCard xmlns='vcard-temp'><FN>Juliet</FN></vCard>
      <query xmlns='jabber:iq:private'><p xmlns='my:prefs'>1</p></query>
      <blocklist xmlns='urn:xmpp:blocking'><item jid='paris@b.example'/></blocklist>
      <pubsub xmlns='http://jabber.org/protocol/pubsub#owner'><configure node='urn:n'>
        <x xmlns='jabber:x:data' type='form'>
          <field var='pubsub#access_model'><value>open</value></field>
          <field var='pubsub#max_items'><value>10</value></field></x></configure></pubsub>
      <pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:n'>
        <item id='i1'><n xmlns='urn:n'>1</n></item><item id='i2'><n xmlns='urn:n'>2</n></item>
      </items></pubsub>
      <offline-messages>%s%s</offline-messages>
      <archive xmlns='urn:xmpp:pie:0#mam'>%s</archive></user>
    <user name='romeo' password='montague'/>
    <user name='paris'/>
    """
        .formatted(
            scram(Passwords.derive("capulet", "SHA-1", new byte[] {1, 2, 3}, 4_096)),
            waiting("2020-01-02T10:00:00Z", "w1"),
            waiting("2020-01-03T10:00:00Z", "w2"),
            archive);
  }

  private static List<String> bodies(List<MessageLog.Entry> entries) {
    return entries.stream()
        .map(each ->
            each.time() + " " + each.message().id() + " " + each.message().payloadNames().size())
        .toList();
  }

  private static List<MessageLog.Entry> archive(Stores stores, Jid owner) {
    return stores
        .archive()
        .page(
            owner,
            MessageArchive.Filter.ALL,
            new MessageArchive.Portion(false, 10_000, Long.MAX_VALUE))
        .entries();
  }

  /// What an import leaves in the stores, as text.
  private static String content(Stores stores) {
    List<String> all = new ArrayList<>();
    for (Jid jid : stores.accounts().list("a.example", null, 100)) {
      all.add(jid + " " + stores.rosters().load(jid).items());
      for (String name : List.of("vcard", "private", "blocking", "disabled")) {
        stores
            .keyValues(name)
            .all(jid)
            .forEach(
                (key, value) -> all.add(name + key + new String(value, StandardCharsets.UTF_8)));
      }
      for (PubSubStore.Stored node : stores.pubSub().findAll(jid)) {
        all.add(node.node().name() + node.node().settings() + node.items());
      }
      all.addAll(bodies(archive(stores, jid)));
      all.addAll(bodies(stores.messages().waiting(jid, Long.MIN_VALUE, 1_000)));
    }
    return String.join("\n", all);
  }

  @Test
  void everythingIsTaken() throws IOException {
    write(everything());
    ImportReport report = run(stores, false);
    Account juliet = Objects.requireNonNull(stores.accounts().find(JULIET));
    assertThat(Passwords.matches(juliet, "capulet")).isTrue();
    assertThat(juliet.keys()).hasSize(1);
    assertThat(juliet.keys().getFirst().iterations()).isEqualTo(4_096);
    Account romeo = Objects.requireNonNull(stores.accounts().find(ROMEO));
    assertThat(Passwords.matches(romeo, "montague")).isTrue();
    assertThat(stores.rosters().load(JULIET).items()).hasSize(1);
    assertThat(stores.keyValues(VcardModule.STORE).all(JULIET)).hasSize(1);
    assertThat(stores.keyValues(PrivateXmlModule.STORE).all(JULIET)).containsKey("{my:prefs}p");
    assertThat(stores.keyValues(BlockingModule.STORE).get(JULIET, "list"))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("paris@b.example");
    PubSubStore.Stored node = Objects.requireNonNull(stores.pubSub().find(JULIET, "urn:n"));
    assertThat(node.node().settings()).contains("pubsub#access_model=open");
    assertThat(node.items()).isEqualTo(2);
    assertThat(report.taken(Kind.ACCOUNTS)).isEqualTo(3);
    assertThat(report.taken(Kind.ARCHIVED)).isEqualTo(601);
    assertThat(report.taken(Kind.WAITING)).isEqualTo(2);
    assertThat(report.credentials()).hasSize(3);
    // No client may choose a hash of which Juliet has no keys.
    assertThat(new CommonHashes(stores.keyValues(CommonHashes.STORE)).of(JULIET.domainJid()))
        .containsExactly("SHA-1");
    assertThat(report.omissions()).singleElement().asString().contains("zonda user passwd paris@");
  }

  @Test
  void messagesKeepTheirTimesAndOrder() throws IOException {
    write(everything());
    run(stores, false);
    List<MessageLog.Entry> entries = archive(stores, JULIET);
    assertThat(entries).hasSize(601);
    assertThat(entries.get(0).time()).isEqualTo(Instant.parse("2020-01-01T10:00:00Z"));
    for (int i = 0; i < 600; i++) {
      assertThat(entries.get(i).message().id()).isEqualTo("m" + i);
      assertThat(entries.get(i).time())
          .isBefore(Instant.parse("2020-01-01T10:00:00Z").plusMillis(1));
    }
    // The id that the other server has assigned is gone.
    assertThat(entries.get(0).message().payloads()).hasSize(1);
    // A message that waits is one entry.
    assertThat(stores.messages().waiting(JULIET, Long.MIN_VALUE, 10))
        .extracting(each -> each.message().id())
        .containsExactly("w1", "w2");
    assertThat(stores.messages().nextId()).isGreaterThan(entries.getLast().id());
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    write(everything());
    ImportReport dry = run(stores, true);
    assertThat(stores.accounts().count("a.example")).isZero();
    assertThat(folder.resolve("data")).doesNotExist();
    ImportReport wet = run(stores, false);
    for (Kind kind : Kind.values()) {
      assertThat(dry.taken(kind)).as(kind.words()).isEqualTo(wet.taken(kind));
    }
    assertThat(dry.omissions()).isEqualTo(wet.omissions());
    assertThat(dry.credentials()).isEqualTo(wet.credentials());
  }

  @Test
  void theSameImportTakesNothingTwice() throws IOException {
    write(everything());
    run(stores, false);
    String before = content(stores);
    ImportReport again = run(stores, false);
    assertThat(content(stores)).isEqualTo(before);
    assertThat(again.taken(Kind.ACCOUNTS)).isZero();
    assertThat(again.taken(Kind.ARCHIVED)).isZero();
    assertThat(again.doneBefore()).isEqualTo(3);
  }

  /// Whichever call of a store fails, the same command continues and the result is the same.
  @Test
  void anInterruptedImportIsContinued() throws IOException {
    String keys = scram(Passwords.derive("montague", "SHA-256", new byte[] {1, 2, 3}, 4_096));
    write(
        everything()
            .replace(
                "<user name='romeo' password='montague'/>",
                "<user name='romeo'>" + keys + "</user>")
            .replace("<user name='paris'/>", ""));
    AtomicInteger calls = new AtomicInteger();
    stores.beforeCall(calls::incrementAndGet);
    run(stores, false);
    stores.beforeCall(() -> {});
    String whole = content(stores);
    Path journal;
    try (PortableSource source = new PortableSource(folder.resolve("all.xml"), clock)) {
      journal = Journal.path(config().data(), source.name());
    }
    int all = calls.get();
    assertThat(all).isBetween(20, 2_000);
    for (int at = 1; at <= all; at += at < 60 || at > all - 60 ? 1 : 37) {
      Files.delete(journal);
      MemoryData data = new MemoryData();
      AtomicInteger left = new AtomicInteger(at);
      MemoryStores first = new MemoryStores(data, clock);
      first.beforeCall(() -> {
        if (left.decrementAndGet() <= 0) {
          throw new StoreException(StoreException.Category.UNAVAILABLE, "interrupted", null);
        }
      });
      try {
        run(first, false);
      } catch (StoreException e) {
        assertThat(e).hasMessage("interrupted");
      }
      MemoryStores second = new MemoryStores(data, clock);
      run(second, false);
      assertThat(content(second))
          .as("interrupted at call " + at)
          .hasSameSizeAs(whole)
          .isEqualTo(whole);
    }
  }

  /// A crash between a commit and the line in the journal: a database has what the journal lacks.
  @Test
  void whatIsDurableIsNotTakenTwice() throws IOException {
    write(everything());
    try (SqlStores database =
        SqlStores.open(
            folder.resolve("data"), new Storage(true, true, 0, 512), Limits.defaults(), clock)) {
      run(database, false);
      String whole = content(database);
      Path journal;
      try (PortableSource source = new PortableSource(folder.resolve("all.xml"), clock)) {
        journal = Journal.path(config().data(), source.name());
      }
      String text = Files.readString(journal);
      for (String last : List.of("messages juliet@a.example 256\n", "done paris@a.example\n")) {
        Files.writeString(journal, text.substring(0, text.indexOf(last) + last.length()));
        run(database, false);
        assertThat(content(database)).hasSameSizeAs(whole).isEqualTo(whole);
      }
    }
  }

  @Test
  void anAccountThatExistsIsLeftAsItIs() throws IOException {
    write(everything());
    Account own = new Account(JULIET, Passwords.derive("own", new SecureRandom()), Instant.EPOCH);
    stores.accounts().create(List.of(own));
    for (boolean dryRun : List.of(true, false)) {
      ImportReport report = run(stores, dryRun);
      assertThat(report.taken(Kind.ACCOUNTS)).isEqualTo(2);
      assertThat(report.taken(Kind.ARCHIVED)).isZero();
      assertThat(report.omissions()).anyMatch(each -> each.why().contains("exists already"));
    }
    assertThat(Passwords.matches(Objects.requireNonNull(stores.accounts().find(JULIET)), "own"))
        .isTrue();
    assertThat(stores.rosters().load(JULIET).items()).isEmpty();
    assertThat(archive(stores, JULIET)).isEmpty();
  }

  @Test
  void unknownHostsAndGuestsAreLeftOut() throws IOException {
    write(
        "<user name='guest-0123456789abcdef0123456789abcdef'/></host><host jid='x.example'><user name='u'/>");
    ImportReport report = run(stores, false);
    assertThat(report.omissions())
        .anyMatch(
            each -> each.why().equals("x.example is not a host of this server; add it to hosts"));
    assertThat(stores.accounts().count("x.example")).isZero();
  }

  @Test
  void limitsAndRetentionAreKept() throws IOException {
    configure("[limits]\nroster-items = 1\n[archive]\nkeep-days = 10\n");
    write(
        "<user name='juliet' password='p'><query xmlns='jabber:iq:roster'>"
            + "<item jid='a@b.example'/><item jid='juliet@a.example'/><item jid='b@b.example'/>"
            + "</query><archive xmlns='urn:xmpp:pie:0#mam'>"
            + archived("2020-01-01T10:00:00Z", ROMEO + "/x", JULIET + "/y", "m")
            + archived(clock.instant().toString(), ROMEO + "/x", JULIET + "/y", "n")
            + archived("2999-01-01T10:00:00Z", ROMEO + "/x", JULIET + "/y", "o")
            + "</archive></user>");
    ImportReport report = run(stores, false);
    assertThat(stores.rosters().load(JULIET).items()).hasSize(1);
    assertThat(report.omissions()).anyMatch(each -> each.why().contains("limits.roster-items"));
    assertThat(report.leftOut())
        .containsEntry("archived messages: older than 10 days (archive.keep-days)", 1L);
    assertThat(archive(stores, JULIET))
        .allMatch(each -> each.time().isBefore(clock.instant().plusSeconds(1)))
        .hasSize(2);
  }

  @Test
  void anUnknownPasswordIsNotEmpty() throws IOException {
    write("<user name='juliet'/>");
    run(stores, false);
    Account juliet = Objects.requireNonNull(stores.accounts().find(JULIET));
    assertThat(juliet.keys()).hasSize(3);
    assertThat(Passwords.matches(juliet, "")).isFalse();
  }

  @Test
  void aLineThatACrashHasCutIsIgnored() throws IOException {
    write(everything());
    run(stores, false);
    Path journal;
    try (PortableSource source = new PortableSource(folder.resolve("all.xml"), clock)) {
      journal = Journal.path(config().data(), source.name());
    }
    String text = Files.readString(journal);
    Files.writeString(journal, text.substring(0, text.length() - 3));
    ImportReport again = run(stores, false);
    assertThat(again.taken(Kind.ACCOUNTS)).isZero();
    assertThat(Files.readString(journal)).isEqualTo(text);
  }
}
