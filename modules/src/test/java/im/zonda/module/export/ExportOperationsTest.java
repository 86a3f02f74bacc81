package im.zonda.module.export;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.export.ExportOperations.Forgotten;
import im.zonda.module.export.ExportOperations.Others;
import im.zonda.module.export.RoomArchives.Written;
import im.zonda.module.muc.MucModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.module.upload.UploadModule;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportOperationsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid ROOM = Jid.of("garden@rooms.example.org");
  private static final String SECRET = "But soft, what light";

  @TempDir private Path data;

  private final TestContext context = new TestContext();
  private final MucModule rooms = new MucModule();
  private final TestOperations operations = context.operations();

  /// What the room service has sent.
  private final List<Stanza> sent = new ArrayList<>();

  @BeforeEach
  void install() {
    PrivateXmlModule privateXml = new PrivateXmlModule();
    UploadModule uploads = new UploadModule();
    context
        .config(context.config().withData(data))
        .install(privateXml, uploads, rooms, new ExportModule(privateXml, uploads, rooms));
    ((TestComponents) context.port(ExternalComponents.class)).answerBy(this::answer);
    context.account(ROMEO.toString());
    context.account(JULIET.toString());
  }

  private Iq answer(Iq request) {
    Jid to = Objects.requireNonNull(request.to());
    if (!to.domain().equals(ROOM.domain())) {
      return Iq.error(request, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
    context.host().toService(request);
    return (Iq)
        context.takeSent().stream()
            .filter(each -> Objects.equals(each.id(), request.id()))
            .findFirst()
            .orElseThrow();
  }

  // ---- what there is

  private void enter(Jid user, String nick) {
    toService(
        "<presence from='%s/x' to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
            .formatted(user, ROOM, nick));
  }

  private void toService(String stanza) {
    context
        .host()
        .toService(stanza.startsWith("<presence") ? TestXml.presence(stanza) : message(stanza));
    sent.addAll(context.takeSent());
  }

  private static Message message(String xml) {
    return TestXml.message(xml);
  }

  /// Romeo and Juliet have written in a room and to each other.
  private void converse() {
    enter(ROMEO, "Montague");
    toService(
        "<message type='groupchat' from='%s/x' to='%s'><body>%s</body></message>"
            .formatted(ROMEO, ROOM, SECRET));
    enter(JULIET, "J");
    toService(
        "<message type='groupchat' from='%s/x' to='%s'><body>Ay me</body></message>"
            .formatted(JULIET, ROOM));
    append(ROMEO, JULIET, SECRET);
    append(JULIET, ROMEO, "Deny thy father");
  }

  private void append(Jid from, Jid to, String text) {
    MessageLog log = context.stores().messages();
    Message message =
        message(
            "<message type='chat' from='%s/x' to='%s'><body>%s</body></message>"
                .formatted(from, to, text));
    for (Jid owner : List.of(from, to)) {
      Jid with = owner.equals(from) ? to : from;
      log.append(
              new MessageLog.Entry(owner, log.nextId(), with, message),
              MessageLog.Keep.ARCHIVE,
              false)
          .delivered();
    }
  }

  private List<Message> archive(Jid owner) {
    return context
        .port(MessageArchive.class)
        .page(
            owner,
            MessageArchive.Filter.ALL,
            new MessageArchive.Portion(false, 100, Long.MAX_VALUE))
        .entries()
        .stream()
        .map(MessageLog.Entry::message)
        .toList();
  }

  private <I extends Record> String job(Operation<I, ?> operation, I input) {
    assertThat(operations.run(TestOperations.OWNER, operation, input))
        .isInstanceOf(Outcome.Started.class);
    return operations.jobs().getLast();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  // ---- export

  @Test
  void anAccountIsWrittenToAFile() throws IOException {
    converse();
    String said = job(ExportOperations.EXPORT, new ExportOperations.Chosen(ROMEO));
    Path file = files().getFirst();
    assertThat(said).isEqualTo("Written to " + file + ".");
    assertThat(file.getParent()).isEqualTo(data.resolve("exports"));
    assertThat(file.getFileName().toString()).startsWith("romeo@example.org-").endsWith(".xml");
    assertThat(Files.readString(file))
        .contains("<user name='romeo'>", SECRET)
        .contains("<room jid='garden@rooms.example.org' affiliation='owner'/>");
    assertThat(
            operations.refused(
                ExportOperations.EXPORT, new ExportOperations.Chosen(Jid.of("nobody@example.org"))))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(files()).hasSize(1);
  }

  @Test
  void aDocumentIsSentToThoseWhoMayReadMessages() throws Exception {
    String roses = "\u00e9\u20ac\ud83c\udf39".repeat(1_000);
    for (int i = 0; i < 10; i++) {
      append(ROMEO, JULIET, roses);
    }
    ExportOperations.Chosen chosen = new ExportOperations.Chosen(ROMEO);
    assertThat(operations.refused(ExportOperations.DOWNLOAD, chosen)).isEqualTo(Reason.FORBIDDEN);
    Caller reader =
        new Caller(
            "t", Caller.Via.API, null, new Grant(Role.SERVER_ADMIN, null, Set.of(Right.CONTENT)));
    Outcome<ExportOperations.Part> outcome =
        operations.run(reader, ExportOperations.DOWNLOAD, chosen);
    StringBuilder document = new StringBuilder();
    if (outcome instanceof Outcome.Following<ExportOperations.Part>(var feed)) {
      feed.follow(part -> document.append(part.text()));
    }
    assertThat(document.toString())
        .contains(roses)
        .doesNotContain("\ufffd")
        .endsWith("</server-data>\n");
  }

  @Test
  void aHostIsWrittenToFilesThatItsDocumentNames() throws IOException {
    converse();
    context.account("a%2f..\u00e4@example.org");
    assertThat(job(ExportOperations.EXPORT_HOST, new ExportOperations.OfHost("example.org")))
        .startsWith("Written 3 accounts and 1 rooms to ");
    Path root =
        files().stream()
            .filter(each -> each.getFileName().toString().equals("example.org.xml"))
            .findFirst()
            .orElseThrow();
    Path folder = Objects.requireNonNull(root.getParent());
    String index = Files.readString(root);
    assertThat(index)
        .contains("href='example.org/romeo.xml'", "href='example.org/juliet.xml'")
        .contains("href='example.org/rooms/garden.xml'", "href='example.org/x-");
    assertThat(Files.readString(folder.resolve("example.org/romeo.xml")))
        .contains("<user xmlns='urn:xmpp:pie:0' name='romeo'>", SECRET);
    assertThat(Files.readString(folder.resolve("example.org/rooms/garden.xml")))
        .contains("muc#roomconfig_membersonly", "affiliation='owner'", SECRET, "Ay me");
    assertThat(files()).hasSize(5);
  }

  // ---- forget

  private String forget(Written inRooms, Others others, boolean dryRun) {
    return job(ExportOperations.FORGET, new Forgotten(ROMEO, inRooms, others, false, dryRun));
  }

  @Test
  void aPersonIsForgottenAndWhatOthersHaveStaysUnlessItIsAskedFor() throws IOException {
    converse();
    assertThat(forget(Written.KEEP, Others.KEEP, false)).startsWith("Forgotten: 1 accounts");
    assertThat(context.stores().accounts().find(ROMEO)).isNull();
    assertThat(context.forgotten()).containsExactly(ROMEO);
    assertThat(Files.readString(files().getFirst())).contains(SECRET);
    assertThat(archive(JULIET).toString()).contains(SECRET, "Deny thy father");
    assertThat(archive(ROOM).toString()).contains(SECRET, "Montague");
    assertThat(operations.changes())
        .contains("accounts: 1 -> 0", "rooms that it belonged to: 1 -> 0");
  }

  @Test
  void whatAPersonHasWrittenIsErased() {
    converse();
    assertThat(forget(Written.ERASE, Others.ERASE, false))
        .contains("1 messages in rooms", "1 messages to others");
    assertThat(archive(JULIET)).hasSize(2);
    assertThat(archive(JULIET).toString())
        .contains("retracted", "Deny thy father")
        .doesNotContain(SECRET);
    assertThat(archive(ROOM)).hasSize(2);
    assertThat(archive(ROOM).toString())
        .contains("retracted", "Ay me")
        .doesNotContain(SECRET, "Montague", "romeo");
    sent.clear();
    enter(Jid.of("nurse@example.org"), "N");
    assertThat(sent.toString()).as("what is in memory").contains("Ay me").doesNotContain(SECRET);
    assertThat(forget(Written.ERASE, Others.ERASE, false))
        .as("nothing is left")
        .isEqualTo("Forgotten: 0 messages in rooms, 0 messages to others.");
  }

  @Test
  void whatAPersonHasWrittenInRoomsIsMadeAnonymous() {
    converse();
    assertThat(forget(Written.ANONYMISE, Others.KEEP, false)).contains("1 messages in rooms");
    assertThat(archive(ROOM).toString())
        .contains(SECRET, "former member", "Ay me", "juliet@example.org")
        .doesNotContain("Montague", "romeo");
    sent.clear();
    enter(Jid.of("nurse@example.org"), "N");
    assertThat(sent.stream().filter(each -> each instanceof Message).toList().toString())
        .contains(SECRET, "former member")
        .doesNotContain("/Montague");
  }

  @Test
  void aDryRunCountsAndChangesNothing() throws IOException {
    converse();
    assertThat(forget(Written.ERASE, Others.ERASE, true))
        .startsWith("There are 1 accounts")
        .contains("1 messages in rooms", "1 messages to others");
    assertThat(context.stores().accounts().find(ROMEO)).isNotNull();
    assertThat(archive(ROOM).toString()).contains(SECRET);
    assertThat(archive(JULIET).toString()).contains(SECRET);
    assertThat(files()).isEmpty();
    assertThat(operations.changes()).isEmpty();
  }

  @Test
  void someoneWhoIsNotThereIsNotForgotten() {
    assertThat(
            operations.refused(
                ExportOperations.FORGET,
                new Forgotten(
                    Jid.of("nobody@example.org"), Written.KEEP, Others.KEEP, false, false)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(
            operations.refused(
                ExportOperations.FORGET,
                new Forgotten(
                    Jid.of("romeo@example.net"), Written.ERASE, Others.ERASE, false, false)))
        .isEqualTo(Reason.NOT_FOUND);
  }
}
