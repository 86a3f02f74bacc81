package im.zonda.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.config.accounts.HttpAccounts.Style;
import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.provider.http.FakeService.Received;
import im.zonda.provider.http.FakeService.Reply;
import im.zonda.store.ScramKeys;
import im.zonda.testkit.database.TestAuthority;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpProviderTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-29T02:00:00Z"));
  private static final String SECRET = "open sesame";
  private static final String DOMAIN = "example.org";
  private static final byte[] KEY = new byte[32];
  private static final String KEY64 = Base64.getEncoder().encodeToString(KEY);
  private static final String KEYS =
      "{\"iterations\":4096,\"salt\":\"c2FsdA==\",\"storedKey\":\""
          + KEY64
          + "\",\"serverKey\":\""
          + KEY64
          + "\"}";

  static PasswordQuestion password(String password) {
    InetAddress address = InetAddress.ofLiteral("203.0.113.5");
    return new PasswordQuestion(DOMAIN, "juliet", password, address, "PLAIN");
  }

  static AccountProvider provider(String url) throws ProviderException {
    return HttpProvider.of("shop", new HttpAccounts(url, SECRET, null, Style.ZONDA, true), CLOCK);
  }

  private interface Call<T> {
    T call(AccountProvider provider) throws Exception;
  }

  private static final Call<Verdict> CHECK = each -> each.checkPassword(password("x"));
  private static final Call<Verdict> FIND = each -> each.find(DOMAIN, "juliet");
  private static final Call<List<ScramKeys>> SCRAM = each -> each.keys(DOMAIN, "juliet");
  private static final Call<List<ProvidedGroup>> GROUPS = each -> each.groups(DOMAIN);

  /// What comes of an answer.
  private static <T> T given(String answer, Call<T> call) throws Exception {
    try (FakeService service = FakeService.start(_ -> Reply.json(answer));
        AccountProvider provider = provider(service.url())) {
      return call.call(provider);
    }
  }

  private static void assertWrong(String answer, Call<?> call) {
    assertThatThrownBy(() -> given(answer, call))
        .as(answer)
        .isInstanceOf(ProviderException.class)
        .hasNoCause();
  }

  @Test
  void passwordsAreAskedForInJson() throws Exception {
    try (FakeService service =
            FakeService.start(_ ->
                Reply.json(
                    "{\"result\":\"yes\",\"attributes\":{\"id\":\"4711\",\"name\":\"Juliet C.\","
                        + "\"email\":\"j@example.com\",\"disabled\":true,\"admin\":true}}"));
        AccountProvider provider = provider(service.url())) {
      assertThat(provider.checkPassword(password("né \"x\"")))
          .isEqualTo(
              new Verdict.Accepted(
                  new ProvidedAccount("juliet", "4711", true, "Juliet C.", "j@example.com")));
      Received request = service.next();
      assertThat(request.target()).isEqualTo("/accounts");
      assertThat(JsonReader.object(request.body()))
          .isEqualTo(
              Map.of(
                  "question", "check",
                  "account", "juliet@example.org",
                  "password", "né \"x\"",
                  "address", "203.0.113.5",
                  "mechanism", "PLAIN"));
      assertThat(request.header("Content-type")).isEqualTo("application/json");
      assertThat(request.header("Idempotency-key")).matches("\"[0-9a-f-]{36}\"");
    }
  }

  @Test
  void questionsAreSigned() throws Exception {
    try (FakeService service = FakeService.start(_ -> Reply.json("{\"result\":\"no\"}"));
        AccountProvider provider = provider(service.url())) {
      assertThat(provider.checkPassword(password("x"))).isInstanceOf(Verdict.Wrong.class);
      Received request = service.next();
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] expected =
          mac.doFinal(("1795917600." + request.body()).getBytes(StandardCharsets.UTF_8));
      assertThat(request.header("X-zonda-signature"))
          .isEqualTo("t=1795917600,v1=" + HexFormat.of().formatHex(expected));
    }
  }

  @Test
  void theSignatureIsThatOfOtherPrograms() {
    // printf '1795917600.{"a":1}' | openssl dgst -sha256 -hmac 'open sesame'
    assertThat(new Signature(SECRET, CLOCK).of("{\"a\":1}".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(
            "t=1795917600,v1=af1f4ad18dd5f75b9cda697acde434b160b26ff242ca0f27757097ee5a96558e");
  }

  @Test
  void withoutASecretNothingIsSigned() throws Exception {
    try (FakeService service = FakeService.start(_ -> Reply.json("{\"result\":\"unknown\"}"));
        AccountProvider provider =
            HttpProvider.of(
                "shop", new HttpAccounts(service.url(), null, null, Style.ZONDA, false), CLOCK)) {
      assertThat(provider.checkPassword(password("x"))).isEqualTo(Verdict.UNKNOWN);
      assertThat(service.next().header("X-zonda-signature")).isNull();
      assertThat(provider.abilities())
          .isEqualTo(Set.of(Ability.PASSWORD, Ability.FIND, Ability.GROUPS));
      assertThat(provider.keys(DOMAIN, "juliet")).isEmpty();
      assertThat(service.waiting()).as("it has no keys").isZero();
    }
  }

  @Test
  void accountsAreFound() throws Exception {
    assertThat(given("{\"result\":\"yes\"}", FIND))
        .isEqualTo(new Verdict.Accepted(ProvidedAccount.of("juliet")));
    for (String answer : List.of("no", "unknown")) {
      assertThat(given("{\"result\":\"" + answer + "\"}", FIND)).isEqualTo(Verdict.UNKNOWN);
    }
    try (FakeService service = FakeService.start(_ -> Reply.json("{\"result\":\"no\"}"));
        AccountProvider provider = provider(service.url())) {
      provider.find(DOMAIN, "juliet");
      assertThat(service.next().body())
          .isEqualTo("{\"question\":\"exists\",\"account\":\"juliet@example.org\"}");
    }
  }

  @Test
  void attributesOfAnotherFormAreErrors() throws Exception {
    for (String attributes :
        List.of(
            "[]",
            "\"x\"",
            "{\"id\":\"\"}",
            "{\"id\":1.5}",
            "{\"id\":\"" + "x".repeat(513) + "\"}",
            "{\"disabled\":\"false\"}",
            "{\"disabled\":0}",
            "{\"name\":1}",
            "{\"email\":[]}")) {
      String answer = "{\"result\":\"yes\",\"attributes\":" + attributes + "}";
      assertWrong(answer, CHECK);
    }
    String long_ = "x".repeat(511) + "\\ud83d\\ude00";
    String answer = "{\"result\":\"yes\",\"attributes\":{\"id\":17,\"name\":\"" + long_ + "\"}}";
    assertThat(given(answer, CHECK))
        .isEqualTo(
            new Verdict.Accepted(
                new ProvidedAccount("juliet", "17", false, "x".repeat(511), null)));
  }

  @Test
  void keysAreRead() throws Exception {
    String answer = "{\"result\":\"yes\",\"keys\":{\"SHA-256\":" + KEYS + "}}";
    List<ScramKeys> keys = given(answer, SCRAM);
    assertThat(keys).hasSize(1);
    assertThat(keys.getFirst().hash()).isEqualTo("SHA-256");
    assertThat(keys.getFirst().iterations()).isEqualTo(4096);
    assertThat(keys.getFirst().salt()).isEqualTo("salt".getBytes(StandardCharsets.US_ASCII));
    assertThat(keys.getFirst().storedKey()).isEqualTo(KEY);
    assertThat(given("{\"result\":\"unknown\"}", SCRAM)).isEmpty();
  }

  @Test
  void keysOfAnotherFormAreErrors() {
    for (String keys :
        List.of(
            "null",
            "[]",
            "{\"SHA-256\":[]}",
            "{\"SHA-512\":" + KEYS + "}",
            "{\"MD5\":" + KEYS + "}",
            "{\"SHA-256\":" + KEYS + ",\"SHA-256\":" + KEYS + "}",
            "{\"SHA-256\":" + KEYS.replace("4096", "4095") + "}",
            "{\"SHA-256\":" + KEYS.replace("4096", "1000001") + "}",
            "{\"SHA-256\":" + KEYS.replace("4096", "4294971392") + "}",
            "{\"SHA-256\":" + KEYS.replace("4096", "\"4096\"") + "}",
            "{\"SHA-256\":" + KEYS.replace("c2FsdA==", "") + "}",
            "{\"SHA-256\":" + KEYS.replace("c2FsdA==", "c2Fsd") + "}",
            "{\"SHA-256\":" + KEYS.replace("serverKey", "other") + "}")) {
      String answer = "{\"result\":\"yes\",\"keys\":" + keys + "}";
      assertWrong(answer, SCRAM);
    }
  }

  @Test
  void groupsAreRead() throws Exception {
    String answer =
        "{\"result\":\"yes\",\"groups\":[{\"id\":\"1\",\"name\":\"Capulets\",\"members\":"
            + "[\"Juliet@example.org\",\"tybalt@EXAMPLE.org\",\"juliet@example.org\"]},"
            + "{\"id\":\"2\",\"name\":\"Nobody\",\"members\":[]}]}";
    assertThat(given(answer, GROUPS))
        .containsExactly(
            new ProvidedGroup("1", "Capulets", Set.of("juliet", "tybalt")),
            new ProvidedGroup("2", "Nobody", Set.of()));
    assertThat(given("{\"result\":\"unknown\"}", GROUPS)).isEmpty();
    try (FakeService service = FakeService.start(_ -> Reply.json("{\"result\":\"no\"}"));
        AccountProvider provider = provider(service.url())) {
      provider.groups(DOMAIN);
      assertThat(service.next().body())
          .isEqualTo("{\"question\":\"groups\",\"host\":\"example.org\"}");
    }
  }

  @Test
  void groupsOfAnotherFormAreErrors() {
    String group = "{\"id\":\"1\",\"name\":\"a\",\"members\":[\"juliet@example.org\"]}";
    for (String groups :
        List.of(
            "null",
            "{}",
            "[1]",
            "[" + group + "," + group + "]",
            "[" + group.replace("\"1\"", "1") + "]",
            "[" + group.replace("\"1\"", "\"\"") + "]",
            "[" + group.replace("\"a\"", "\"" + "a".repeat(513) + "\"") + "]",
            "[" + group.replace("members", "other") + "]",
            "[" + group.replace("example.org", "example.com") + "]",
            "[" + group.replace("juliet@example.org", "example.org") + "]",
            "[" + group.replace("juliet@example.org", "juliet@example.org/balcony") + "]",
            "[" + group.replace("juliet@example.org", "@") + "]",
            "[" + group.replace("juliet@example.org", "a b@example.org") + "]",
            "[" + group.replace("\"juliet@example.org\"", "1") + "]")) {
      String answer = "{\"result\":\"yes\",\"groups\":" + groups + "}";
      assertWrong(answer, GROUPS);
    }
  }

  @Test
  void aLongListOfGroupsIsRead() throws Exception {
    Object[] members = new Object[50_000];
    Arrays.setAll(members, i -> "member-" + i + "@example.org");
    String answer =
        JsonText.of(
            Map.of(
                "result",
                "yes",
                "groups",
                List.of(Map.of("id", "1", "name", "all", "members", Arrays.asList(members)))));
    assertThat(answer.length()).isGreaterThan(JsonQuestions.MOST_BYTES);
    assertThat(given(answer, GROUPS).getFirst().members()).hasSize(50_000);
    assertWrong(answer, FIND);
  }

  @Test
  void aServiceWithTlsIsAsked(@TempDir Path folder) throws Exception {
    TestAuthority authority = TestAuthority.create(folder);
    try (FakeService service =
            FakeService.start(authority, _ -> Reply.json("{\"result\":\"yes\"}"));
        AccountProvider provider =
            HttpProvider.of(
                "shop",
                new HttpAccounts(
                    "https://localhost:" + service.port(),
                    null,
                    authority.authority(),
                    Style.ZONDA,
                    false),
                CLOCK)) {
      assertThat(provider.checkPassword(password("x"))).isInstanceOf(Verdict.Accepted.class);
      List<TestStep> steps = provider.test(password("x"));
      assertThat(steps)
          .extracting(TestStep::name)
          .containsExactly("address", "connect", "exists", "check");
      assertThat(steps).extracting(TestStep::ok).containsOnly(true);
      assertThat(steps.get(1).text()).isEqualTo("TLSv1.3");
    }
  }

  @Test
  void aTestLoginSaysWhatIsWrong() throws Exception {
    List<TestStep> steps =
        given(
            "{\"result\":\"yes\",\"attributes\":{\"disabled\":true}}",
            each -> each.test(password("x")));
    assertThat(steps).extracting(TestStep::ok).containsExactly(true, true, false);
    assertThat(steps.getLast().text()).isEqualTo("yes, but the account is disabled");

    steps = given("{\"result\":\"yes\"}", each -> each.test(password("x")));
    assertThat(steps)
        .extracting(TestStep::name)
        .containsExactly("address", "connect", "exists", "check", "scram");
    assertThat(steps).extracting(TestStep::ok).containsExactly(true, true, true, true, false);

    String gone;
    try (FakeService service = FakeService.start(_ -> Reply.json("{}"))) {
      gone = service.url();
    }
    try (AccountProvider provider = provider(gone)) {
      assertThat(provider.test(password("x")))
          .extracting(TestStep::ok)
          .containsExactly(true, false);
    }
  }
}
