package im.zonda.module.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.muc.MucModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.module.upload.UploadModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.UploadStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ExportModuleTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String PIE = "urn:xmpp:pie:0";

  /// What the account's home answers, by the payload of the request.
  private static final Map<String, String> ANSWERS =
      Map.of(
          "query",
              "<query xmlns='jabber:iq:roster' ver='7'><item jid='juliet@example.com'/></query>",
          "vCard", "<vCard xmlns='vcard-temp'><FN>Romeo &amp; co</FN></vCard>",
          "blocklist",
              "<blocklist xmlns='urn:xmpp:blocking'><item jid='tybalt@example.com'/></blocklist>",
          "pubsub",
              "<pubsub xmlns='http://jabber.org/protocol/pubsub#owner'>"
                  + "<configure node='urn:xmpp:bookmarks:1'><x xmlns='jabber:x:data' type='form'>"
                  + "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/pubsub#node_config</value></field>"
                  + "<field var='pubsub#title' type='text-single' label='A friendly name'/>"
                  + "<field var='pubsub#access_model' type='list-single' label='Who?'>"
                  + "<value>whitelist</value><option label='All'><value>open</value></option>"
                  + "</field></x></configure></pubsub>");

  private final TestContext context = new TestContext();
  private final PrivateXmlModule privateXml = new PrivateXmlModule();
  private final UploadModule uploads = new UploadModule();
  private final MucModule rooms = new MucModule();
  private final ExportModule module = new ExportModule(privateXml, uploads, rooms);

  /// Requests are answered at once by [#ANSWERS].
  private void install() {
    context.install(privateXml, uploads, module);
    TestComponents components = (TestComponents) context.port(ExternalComponents.class);
    components.answerBy(request -> {
      assertThat(request.from()).isEqualTo(ROMEO);
      assertThat(request.to()).isEqualTo(ROMEO);
      Element payload = request.payload();
      String answer = payload == null ? null : ANSWERS.get(payload.name().name());
      return answer == null
          ? Iq.error(request, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE))
          : Iq.result(request, TestXml.element(answer));
    });
  }

  private String export() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    module.write(ROMEO, all::write);
    return all.toString(StandardCharsets.UTF_8);
  }

  private static Element user(String document) throws XmlException {
    String root = document.substring(document.indexOf("?>") + 3).strip();
    Element data = XmlReader.read(root.getBytes(StandardCharsets.UTF_8));
    assertThat(data.name()).isEqualTo(new QName(PIE, "server-data"));
    Element host = data.children().getFirst();
    assertThat(host.attribute("jid")).isEqualTo("example.org");
    return host.children().getFirst();
  }

  private static Element part(Element user, String namespace, String name) {
    return Objects.requireNonNull(user.child(new QName(namespace, name)), name);
  }

  private void append(int number, boolean waiting) {
    MessageLog log = context.stores().messages();
    Message message =
        TestXml.message(
            "<message type='chat' from='juliet@example.com/b' to='romeo@example.org'>"
                + "<body>message "
                + number
                + "</body></message>");
    log.append(
        new MessageLog.Entry(ROMEO, log.nextId(), Jid.of("juliet@example.com"), message),
        MessageLog.Keep.ARCHIVE,
        waiting);
  }

  private void fill() {
    TestSession romeo = context.bind("romeo@example.org/orchard");
    context.ask(
        romeo,
        TestXml.iq(
            "<iq type='set' id='p'><query xmlns='jabber:iq:private'>"
                + "<exodus xmlns='exodus:prefs'><nick>R</nick></exodus></query></iq>"));
    context
        .stores()
        .uploads()
        .add(
            new UploadStore.Upload(
                "s1",
                ROMEO,
                "a b.png",
                "image/png",
                5,
                "hash",
                Instant.EPOCH.plusSeconds(9),
                null));
    PubSubStore nodes = context.stores().pubSub();
    nodes.save(
        new PubSubStore.Node(ROMEO, "urn:xmpp:bookmarks:1", ROMEO, Instant.EPOCH, ""),
        List.of(),
        List.of());
    nodes.publish(
        ROMEO,
        "urn:xmpp:bookmarks:1",
        List.of(
            new PubSubStore.Item(
                "garden@rooms.example.org",
                ROMEO,
                Instant.EPOCH,
                "<conference xmlns='urn:xmpp:bookmarks:1'/>".getBytes(StandardCharsets.UTF_8))),
        10);
    append(1, false);
    append(2, true);
  }

  @Test
  void everythingOfTheAccountIsInTheDocument() throws Exception {
    install();
    fill();
    Element user = user(export());
    assertThat(user.attribute("name")).isEqualTo("romeo");
    Element roster = part(user, "jabber:iq:roster", "query");
    assertThat(roster.attribute("ver")).isNull();
    assertThat(roster.children()).hasSize(1);
    assertThat(part(user, "vcard-temp", "vCard").toString()).contains("Romeo &amp; co");
    assertThat(part(user, "urn:xmpp:blocking", "blocklist").children()).hasSize(1);
    assertThat(part(user, "jabber:iq:private", "query").toString()).contains("exodus:prefs");
    Element config = part(user, "http://jabber.org/protocol/pubsub#owner", "pubsub");
    assertThat(config.toString())
        .contains("whitelist", "FORM_TYPE")
        .doesNotContain("label", "option", "pubsub#title");
    Element items = part(user, "http://jabber.org/protocol/pubsub", "pubsub");
    assertThat(items.toString())
        .contains("node='urn:xmpp:bookmarks:1'", "id='garden@rooms.example.org'");
    assertThat(part(user, "urn:zonda:export:0", "files").toString())
        .contains("url='https://example.org:5281/upload/s1/a%20b.png'", "size='5'");
    Element waiting = part(user, PIE, "offline-messages");
    assertThat(waiting.children()).hasSize(1);
    assertThat(waiting.toString()).contains("message 2", "urn:xmpp:delay");
    Element archive = part(user, PIE + "#mam", "archive");
    assertThat(archive.children()).hasSize(2);
    assertThat(archive.children().getFirst().toString()).contains("message 1", "jabber:client");
  }

  /// Memory does not grow with the archive: parts are written as they are read.
  @Test
  void row100_aLargeArchiveIsWrittenInSmallParts() throws Exception {
    install();
    context.account("romeo@example.org");
    for (int i = 0; i < 2_500; i++) {
      append(i, false);
    }
    int[] largest = {0};
    int[] parts = {0};
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    module.write(
        ROMEO,
        (bytes, offset, length) -> {
          parts[0]++;
          largest[0] = Math.max(largest[0], length);
          all.write(bytes, offset, length);
        });
    assertThat(largest[0]).isLessThan(40_000);
    assertThat(parts[0]).isGreaterThan(10);
    Element user = user(all.toString(StandardCharsets.UTF_8));
    List<Element> results = part(user, PIE + "#mam", "archive").children();
    assertThat(results).hasSize(2_500);
    assertThat(results.getLast().toString()).contains("message 2499<");
  }

  @Test
  void filesOfOneMomentAreListedOnce() throws Exception {
    install();
    context.account("romeo@example.org");
    for (int i = 0; i < 250; i++) {
      context
          .stores()
          .uploads()
          .add(
              new UploadStore.Upload(
                  "slot" + i, ROMEO, "f", "text/plain", 1, "hash" + i, Instant.EPOCH, null));
    }
    Element user = user(export());
    assertThat(part(user, "urn:zonda:export:0", "files").children())
        .extracting(each -> each.attribute("url"))
        .doesNotHaveDuplicates()
        .hasSize(250);
  }

  @Test
  void whatTheSinkRefusesEndsTheExport() {
    install();
    context.account("romeo@example.org");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            module.write(
                ROMEO,
                (bytes, offset, length) -> {
                  throw new IOException("gone");
                }))
        .withMessage("gone");
  }

  @Test
  void accountsOfOtherHostsAreNotWritten() {
    assertThat(module.isOn()).isFalse();
    install();
    assertThat(module.isOn()).isTrue();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> module.write(Jid.of("romeo@example.com"), (bytes, from, size) -> {}));
    module.stop();
    assertThat(module.isOn()).isFalse();
  }
}
