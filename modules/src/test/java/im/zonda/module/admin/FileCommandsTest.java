package im.zonda.module.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Administration;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.copy.RecordCopy;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import im.zonda.xml.Element;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The commands by which administrators list and delete the files of accounts.
class FileCommandsTest {
  private static final String LIST = "urn:zonda:files:0#list";
  private static final String DELETE = "urn:zonda:files:0#delete";
  private static final Instant TIME = Instant.parse("2026-11-26T12:00:00Z");

  private final TestContext context = new TestContext();
  private final TestSession bard;
  private final UploadStore uploads;

  FileCommandsTest() {
    DiscoModule disco = new DiscoModule();
    ServerConfig config = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    Services services =
        Services.DEFAULTS.with(Administration.DEFAULTS.withAdmins(List.of("bard@example.org")));
    context.config(RecordCopy.with(config, "services", services));
    context.install(disco, new AdminModule(disco));
    bard = context.bind("bard@example.org/globe");
    context.bind("romeo@example.org/orchard");
    context.bind("juliet@example.org/balcony");
    uploads = context.stores().uploads();
  }

  private void uploaded(String slot, String owner, String name) {
    uploads.add(
        new Upload(slot, Jid.of(owner), name, "image/png", 1_000, "hash-" + slot, TIME, null));
  }

  private IqReply run(TestSession session, String node, String sessionId, String form) {
    return context.ask(
        session,
        TestXml.iq(
            "<iq type='set' id='i' to='example.org'>"
                + "<command xmlns='http://jabber.org/protocol/commands' node='"
                + node
                + "'"
                + (sessionId.isEmpty() ? "" : " sessionid='" + sessionId + "'")
                + ">"
                + form
                + "</command></iq>"));
  }

  private static Element result(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private static String form(String... fields) {
    StringBuilder form = new StringBuilder("<x xmlns='jabber:x:data' type='submit'>");
    for (int i = 0; i < fields.length; i += 2) {
      form.append("<field var='").append(fields[i]).append("'>");
      for (String value : fields[i + 1].split(",", -1)) {
        form.append("<value>").append(value).append("</value>");
      }
      form.append("</field>");
    }
    return form.append("</x>").toString();
  }

  /// The answer to the first form, with the session of the command.
  private IqReply choose(String node, String account) {
    String session = Objects.requireNonNull(result(run(bard, node, "", "")).attribute("sessionid"));
    return run(bard, node, session, form("accountjid", account));
  }

  private IqReply delete(String account, String... fields) {
    Element second = result(choose(DELETE, account));
    return run(bard, DELETE, Objects.requireNonNull(second.attribute("sessionid")), form(fields));
  }

  private List<String> left(String account) {
    return uploads.list(Jid.of(account), Instant.EPOCH, 10).stream().map(Upload::slot).toList();
  }

  @Test
  void filesAreListedInATable() {
    uploaded("s1", "romeo@example.org", "rose.png");
    uploaded("s2", "romeo@example.org", "<b>.png");
    uploaded("s3", "juliet@example.org", "letter.txt");
    String text = result(choose(LIST, "romeo@example.org")).toString();
    assertThat(text)
        .contains("2 files, 2000 bytes", "rose.png", "image/png", "2026-11-26T12:00:00Z", "s1")
        .contains("&lt;b&gt;.png")
        .doesNotContain("letter.txt");
    assertThat(result(choose(LIST, "bard@example.org")).toString())
        .contains("0 files, 0 bytes")
        .doesNotContain("jabber:x:data");
  }

  @Test
  void chosenFilesAreDeleted() {
    uploaded("s1", "romeo@example.org", "rose.png");
    uploaded("s2", "romeo@example.org", "thorn.png");
    uploaded("s3", "juliet@example.org", "letter.txt");
    Element choice = result(choose(DELETE, "romeo@example.org"));
    assertThat(choice.toString()).contains("rose.png (1000 bytes, ", "list-multi");
    assertThat(result(delete("romeo@example.org", "files", "s1")).toString())
        .contains("1 file deleted.");
    assertThat(left("romeo@example.org")).containsExactly("s2");
    assertThat(result(delete("romeo@example.org", "all", "1")).toString())
        .contains("1 file deleted.");
    assertThat(left("romeo@example.org")).isEmpty();
    assertThat(left("juliet@example.org")).containsExactly("s3");
    assertThat(result(choose(DELETE, "romeo@example.org")).toString()).contains("has no files");
  }

  @Test
  void nothingIsDeletedThatWasNotChosen() {
    uploaded("s1", "romeo@example.org", "rose.png");
    uploaded("s3", "juliet@example.org", "letter.txt");
    for (String[] wrong :
        new String[][] {{"files", "s3"}, {"files", "s1,none"}, {"all", "0"}, {"other", "s1"}}) {
      assertThat(result(delete("romeo@example.org", wrong)).toString()).contains("type='error'");
    }
    assertThat(left("romeo@example.org")).containsExactly("s1");
    assertThat(left("juliet@example.org")).containsExactly("s3");
  }

  @Test
  void onlyAccountsOfTheHostHaveFiles() {
    for (String address : List.of("nobody@example.org", "romeo@elsewhere.example", "", "a@b@c")) {
      assertThat(result(choose(LIST, address)).toString()).contains("<note type='error'>");
      assertThat(result(choose(DELETE, address)).toString()).contains("<note type='error'>");
    }
  }

  @Test
  void row46_othersHaveNoSuchCommand() {
    TestSession romeo = context.bind("romeo@example.org/other");
    for (String node : List.of(LIST, DELETE)) {
      assertThat(run(romeo, node, "", "")).isEqualTo(IqReply.refuse(ErrorCondition.FORBIDDEN));
    }
  }
}
