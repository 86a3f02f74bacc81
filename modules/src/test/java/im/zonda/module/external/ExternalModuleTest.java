package im.zonda.module.external;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ExternalService;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalModuleTest {
  private static final ExternalService STUN =
      new ExternalService(
          "stun", "stun.example.org", 3478, "udp", null, null, Duration.ofDays(1), null, null);
  private static final ExternalService TURN =
      new ExternalService(
          "turn",
          "turn.example.org",
          3478,
          "udp",
          "Relay",
          "s3cret",
          Duration.ofHours(12),
          null,
          null);
  private static final ExternalService TURN_TCP =
      new ExternalService(
          "turn", "turn.example.org", 3479, "tcp", null, null, Duration.ofDays(1), "guest", "pw");

  private static TestContext context(Map<String, ExternalService> services) {
    TestContext context = new TestContext();
    Services own = new Services(Services.Push.DEFAULTS, services, Services.Search.DEFAULTS);
    Host host = new Host(null, null, null, own, null, null, null, null);
    ServerConfig config = context.config().withHosts(Map.of("example.org", host));
    return context.config(config.at("example.org")).install(new ExternalModule());
  }

  private final TestContext context = context(Map.of("a", STUN, "b", TURN, "c", TURN_TCP));
  private final TestSession romeo = context.bind("romeo@example.org/orchard");

  private IqReply ask(String payload) {
    return context.ask(
        romeo, TestXml.iq("<iq type='get' id='e' to='example.org'>" + payload + "</iq>"));
  }

  private static List<Element> services(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload()).children();
  }

  private static ErrorCondition refused(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().condition();
  }

  private static String credentials(String attributes) {
    return "<credentials xmlns='urn:xmpp:extdisco:2'><service " + attributes + "/></credentials>";
  }

  @Test
  void allServicesAreListedAndThoseOfOneType() {
    assertThat(services(ask("<services xmlns='urn:xmpp:extdisco:2'/>"))).hasSize(3);
    Expect.result(
        ask("<services xmlns='urn:xmpp:extdisco:2' type='stun'/>"),
        "<services xmlns='urn:xmpp:extdisco:2' type='stun'>"
            + "<service type='stun' host='stun.example.org' port='3478' transport='udp'/>"
            + "</services>");
    Expect.result(
        ask("<services xmlns='urn:xmpp:extdisco:2' type='ftp'/>"),
        "<services xmlns='urn:xmpp:extdisco:2' type='ftp'/>");
  }

  @Test
  void aServiceWithoutCredentialsIsNotRestricted() {
    Element stun = services(ask("<services xmlns='urn:xmpp:extdisco:2' type='stun'/>")).getFirst();
    for (String absent : List.of("restricted", "username", "password", "expires", "name")) {
      assertThat(stun.attribute(absent)).isNull();
    }
  }

  @Test
  void aSharedSecretGivesTimeLimitedCredentials() throws Exception {
    Element turn =
        services(ask(credentials("host='turn.example.org' type='turn' port='3478'"))).getFirst();
    Instant expires = Instant.parse("2026-11-22T00:00:00Z"); // the clock starts at noon
    assertThat(turn.attribute("expires")).isEqualTo("2026-11-22T00:00:00Z");
    assertThat(turn.attribute("restricted")).isEqualTo("true");
    String username = String.valueOf(turn.attribute("username"));
    assertThat(username).startsWith(expires.getEpochSecond() + ":").doesNotContain("romeo");
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
    assertThat(turn.attribute("password"))
        .isEqualTo(
            Base64.getEncoder()
                .encodeToString(mac.doFinal(username.getBytes(StandardCharsets.UTF_8))));
  }

  private String username(TestSession session) {
    String asked = credentials("host='turn.example.org' type='turn' port='3478'");
    IqReply reply =
        context.ask(
            session, TestXml.iq("<iq type='get' id='e' to='example.org'>" + asked + "</iq>"));
    return String.valueOf(services(reply).getFirst().attribute("username"));
  }

  /// A service that bounds what a user name has counts one for each account.
  @Test
  void anAccountKeepsItsUserNameForAWhile() {
    String username = username(romeo);
    assertThat(username(romeo)).isEqualTo(username);
    assertThat(username(context.bind("romeo@example.org/balcony"))).isEqualTo(username);
    assertThat(username(context.bind("juliet@example.org/balcony"))).isNotEqualTo(username);
    context.clock().advance(Duration.ofMinutes(179));
    assertThat(username(romeo)).isEqualTo(username);
    context.clock().advance(Duration.ofMinutes(2));
    String later = username(romeo);
    assertThat(later.substring(0, later.indexOf(':'))).isEqualTo("1795316400");
    assertThat(later.substring(later.indexOf(':')))
        .isNotEqualTo(username.substring(username.indexOf(':')));
  }

  /// RFC 2202, section 3, test case 2.
  @Test
  void thePasswordIsAnHmac() {
    byte[] sum = HexFormat.of().parseHex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    assertThat(Credentials.password("Jefe", "what do ya want for nothing?"))
        .isEqualTo(Base64.getEncoder().encodeToString(sum));
  }

  @Test
  void credentialsMatchByHostTypePortAndTransport() {
    assertThat(services(ask(credentials("host='turn.example.org' type='turn'")))).hasSize(2);
    Expect.result(
        ask(credentials("host='turn.example.org' type='turn' transport='tcp'")),
        "<credentials xmlns='urn:xmpp:extdisco:2'><service type='turn' host='turn.example.org'"
            + " port='3479' transport='tcp' username='guest' password='pw' restricted='true'/>"
            + "</credentials>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host='turn.example.org' type='stun'",
        "host='evil.example.org' type='turn'",
        "host='turn.example.org' type='turn' port='1'",
        "host='turn.example.org' type='turn' port='null'",
        "host='stun.example.org' type='stun'"
      })
  void aServiceThatIsUnknownOrNeedsNoneHasNoCredentials(String service) {
    assertThat(refused(ask(credentials(service)))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<credentials xmlns='urn:xmpp:extdisco:2'/>",
        "<credentials xmlns='urn:xmpp:extdisco:2'><service type='turn'/></credentials>",
        "<credentials xmlns='urn:xmpp:extdisco:2'><service host='turn.example.org'/></credentials>",
        "<credentials xmlns='urn:xmpp:extdisco:2'>"
            + "<service host='turn.example.org' type='turn'/>"
            + "<service host='turn.example.org' type='turn'/></credentials>"
      })
  void credentialsAreForOneServiceWithHostAndType(String request) {
    assertThat(refused(ask(request))).isEqualTo(ErrorCondition.BAD_REQUEST);
  }

  @Test
  void withoutServicesThereIsNothing() {
    TestContext none = context(Map.of());
    assertThat(none.host().features()).doesNotContain("urn:xmpp:extdisco:2");
    assertThat(context.host().features()).contains("urn:xmpp:extdisco:2");
    assertThat(
            refused(
                none.ask(
                    none.bind("romeo@example.org/orchard"),
                    TestXml.iq(
                        "<iq type='get' id='e' to='example.org'>"
                            + "<services xmlns='urn:xmpp:extdisco:2'/></iq>"))))
        .isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  @Test
  void theModuleIsInstalledAgainWhenTheFirstServiceComes() {
    ServerConfig with = context.config();
    ServerConfig without = context(Map.of()).config();
    ServerConfig other = context(Map.of("x", STUN)).config();
    ExternalModule module = new ExternalModule();
    assertThat(module.reload(with, other)).isTrue();
    assertThat(module.reload(without, with)).isFalse();
    assertThat(module.reload(with, without)).isFalse();
  }

  @Test
  void secretsAreNotInTexts() {
    assertThat(context.config().toString()).doesNotContain("s3cret").doesNotContain("pw");
  }
}
