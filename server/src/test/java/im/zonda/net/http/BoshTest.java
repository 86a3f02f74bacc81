package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.HttpLimits;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Raw requests of BOSH.
@Timeout(60)
class BoshTest {
  private static final String FIRST =
      " rid='7' to='example.org' ver='1.6' wait='5' hold='1' xmpp:version='1.0'/>";
  private static final Pattern SID = Pattern.compile(" sid='([^']+)'");

  @TempDir private Path folder;
  private TestHttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = new TestHttpServer(folder, HttpLimits.DEFAULTS, List.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String request(String fields, String body) {
    return "POST /http-bind HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n"
        + fields
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private String post(String rest) throws IOException {
    return post("", rest);
  }

  private String post(String fields, String rest) throws IOException {
    return server.exchange(
        request(
            fields,
            "<body xmlns='http://jabber.org/protocol/httpbind' xmlns:xmpp='urn:xmpp:xbosh'"
                + rest));
  }

  private String create() throws IOException {
    Matcher sid = SID.matcher(post(FIRST));
    assertThat(sid.find()).isTrue();
    return sid.group(1);
  }

  /// XEP-0206, section 2.
  @Test
  void theFirstResponseHasTheFeatures() throws Exception {
    assertThat(post(FIRST))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("\r\ncontent-type: text/xml; charset=utf-8\r\n")
        .contains(" xmpp:restartlogic='true' xmpp:version='1.0'")
        .contains(" from='example.org'")
        .contains("<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>")
        .endsWith("</stream:features></body>");
  }

  @Test
  void hostsThatAreNotServedAreRejected() throws Exception {
    assertThat(post(FIRST.replace("example.org", "nowhere.example")))
        .contains(" type='terminate' condition='host-unknown'/>")
        .doesNotContain(" sid=");
    assertThat(post(FIRST.replace(" to='example.org'", "")))
        .contains(" condition='improper-addressing'/>");
    assertThat(post(FIRST.replace(" xmpp:version='1.0'", "")))
        .contains(" condition='remote-stream-error'")
        .contains("<stream:error><unsupported-version ");
  }

  @Test
  void theClientEndsTheSession() throws Exception {
    String sid = create();
    assertThat(post(" rid='8' sid='" + sid + "' type='terminate'/>"))
        .endsWith("<body xmlns='http://jabber.org/protocol/httpbind' type='terminate'/>");
    assertThat(post(" rid='9' sid='" + sid + "'/>")).contains(" condition='item-not-found'/>");
  }

  @Test
  void aNodeThatIsDrainedCreatesNoSessions() throws Exception {
    String sid = create();
    server.bosh.stopAccepting();
    assertThat(post(FIRST)).contains(" type='terminate' condition='system-shutdown'/>");
    assertThat(post(" rid='8' sid='" + sid + "' type='terminate'/>")).doesNotContain("condition");
    server.bosh.acceptAgain();
    assertThat(create()).isNotEmpty();
  }

  @Test
  void row50_sessionsCannotBeGuessed() throws Exception {
    String sid = create();
    assertThat(post(" rid='8' sid='" + sid + "x'/>")).contains(" condition='item-not-found'/>");
    assertThat(post(" rid='8' sid=''/>")).contains(" condition='item-not-found'/>");
    assertThat(post(" rid='8' sid='" + sid + "' type='terminate'/>")).doesNotContain("condition");
  }

  @Test
  void row50_numbersBeyondTheWindowEndTheSession() throws Exception {
    String sid = create();
    assertThat(post(" rid='5000' sid='" + sid + "'/>")).contains(" condition='item-not-found'/>");
    assertThat(post(" rid='8' sid='" + sid + "'/>")).contains(" condition='item-not-found'/>");
  }

  @Test
  void row50_largeBodiesOfStrangersEndTheSession() throws Exception {
    String sid = create();
    String large = "<presence xmlns='jabber:client'/>".repeat(2_000);
    assertThat(post(" rid='8' sid='" + sid + "'>" + large + "</body>"))
        .contains(" condition='policy-violation'/>");
    assertThat(post(" rid='9' sid='" + sid + "'/>")).contains(" condition='item-not-found'/>");
    assertThat(post(" rid='7' to='example.org'>" + large + "</body>")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void row03_documentTypesEndTheSession() throws Exception {
    String sid = create();
    assertThat(post(" rid='8' sid='" + sid + "'><!-- --></body>"))
        .contains(" condition='bad-request'/>");
    assertThat(server.exchange(request("", "<!DOCTYPE a [<!ENTITY b 'c'>]><body/>")))
        .contains(" condition='bad-request'/>");
  }

  /// A stanza before authentication, and one in place of a restart.
  @Test
  void streamErrorsEndTheSession() throws Exception {
    String sid = create();
    assertThat(post(" rid='8' sid='" + sid + "'><x xmlns='urn:x'/></body>"))
        .contains(" type='terminate' condition='remote-stream-error'>")
        .contains("<stream:error><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>");
    sid = create();
    assertThat(post(" rid='8' sid='" + sid + "' xmpp:restart='true'/>"))
        .contains("<stream:error><invalid-xml ");
  }

  @Test
  void row51_otherOriginsAreRejected() throws Exception {
    assertThat(post("Origin: https://evil.example\r\n", FIRST)).startsWith("HTTP/1.1 403 ");
    assertThat(post("Origin: null\r\n", FIRST)).startsWith("HTTP/1.1 403 ");
    assertThat(post("Origin: https://app.example\r\n", FIRST))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("\r\naccess-control-allow-origin: https://app.example\r\n");
    assertThat(post("Origin: http://example.org\r\n", FIRST)).startsWith("HTTP/1.1 200 ");
  }

  /// A page that may connect to one host gets at no other host of the server with that.
  @Test
  void row51_originsAreThoseOfTheSessionsHost() throws Exception {
    String other = FIRST.replace("example.org", "other.example");
    assertThat(post("Origin: https://app.example\r\n", other))
        .contains(" condition='policy-violation'/>")
        .doesNotContain(" sid=");
    assertThat(post("Origin: https://app.other.example\r\n", FIRST)).startsWith("HTTP/1.1 403 ");
    assertThat(post(other)).as("no page").contains(" sid=");
  }

  /// A request that stops in the middle is no request; the client sends it again.
  @Test
  void aRequestThatIsCutIsNotMissed() throws Exception {
    String sid = create();
    String body =
        "<body xmlns='http://jabber.org/protocol/httpbind' rid='8' sid='" + sid + "' type='te";
    try (Socket socket = server.connect()) {
      String whole = request("", body + "rminate'/>");
      socket
          .getOutputStream()
          .write(whole.substring(0, whole.length() - 12).getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(post(" rid='8' sid='" + sid + "' type='terminate'/>"))
        .contains(" type='terminate'/>");
  }
}
