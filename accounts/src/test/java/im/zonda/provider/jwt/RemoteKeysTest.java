package im.zonda.provider.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.issuer.JsonText;
import im.zonda.testkit.issuer.SigningKey;
import im.zonda.testkit.issuer.TestIssuer;
import im.zonda.testkit.issuer.TestIssuer.Answer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteKeysTest {
  private static final String CONFIGURATION = "/.well-known/openid-configuration";

  private final FakeClock clock = new FakeClock();
  private final TestIssuer issuer = new TestIssuer();
  private final SigningKey first = issuer.keys.getFirst();
  private final SigningKey second = SigningKey.create("second", "ES256");
  private final List<JwtAccountProvider> open = new ArrayList<>();
  private JwtAccountProvider provider;

  @BeforeEach
  void open() throws Exception {
    provider = create(issuer.issuer(), Duration.ofSeconds(5));
  }

  private JwtAccountProvider create(String name, Duration time) throws ProviderException {
    JwtAccountProvider created =
        JwtAccountProvider.create(new JwtSettings(name).build(), time, clock);
    open.add(created);
    return created;
  }

  @AfterEach
  void close() {
    issuer.close();
    open.forEach(JwtAccountProvider::close);
  }

  private String token(SigningKey key) {
    return key.token(issuer.claims("chat", "alice", clock.instant()));
  }

  private Verdict check(SigningKey key) throws Exception {
    return provider.checkToken("example.org", token(key));
  }

  private void accepted(SigningKey key) throws Exception {
    assertInstanceOf(Verdict.Accepted.class, check(key));
  }

  private void refused(SigningKey key) throws Exception {
    assertInstanceOf(Verdict.Wrong.class, check(key));
  }

  private int requests() {
    return issuer.requests.getOrDefault("/keys", 0);
  }

  @Test
  void keysAreReadOnce() throws Exception {
    for (int i = 0; i < 10; i++) {
      accepted(first);
    }
    assertEquals(1, requests());
  }

  @Test
  void aNewKeyIsFoundAndAnOldOneForgotten() throws Exception {
    accepted(first);
    issuer.keys.set(0, second);
    clock.advance(RemoteKeys.PAUSE);
    accepted(second);
    refused(first);
    assertEquals(2, requests());
  }

  @Test
  void aWithdrawnKeyIsForgottenWithoutANewOne() throws Exception {
    issuer.keys.add(second);
    accepted(second);
    issuer.keys.remove(second);
    clock.advance(RemoteKeys.FRESH);
    accepted(second);
    clock.advance(Duration.ofMillis(1));
    refused(second);
  }

  @Test
  void unknownKeysCauseOneQuestionInAWhile() throws Exception {
    accepted(first);
    clock.advance(RemoteKeys.PAUSE);
    for (int i = 0; i < 100; i++) {
      refused(second.named("unknown" + i));
    }
    assertEquals(2, requests());
    issuer.keys.add(second);
    clock.advance(RemoteKeys.PAUSE.minusMillis(1));
    refused(second);
    clock.advance(Duration.ofMillis(1));
    accepted(second);
    assertEquals(3, requests());
  }

  @Test
  void aKeyWithoutANameIsFoundToo() throws Exception {
    Map<String, Object> claims = issuer.claims("chat", "alice", clock.instant());
    claims.put("exp", clock.instant().plus(Duration.ofHours(1)).getEpochSecond());
    String nameless = second.token(Map.of("alg", "ES256"), JsonText.of(claims));
    assertInstanceOf(Verdict.Wrong.class, provider.checkToken("example.org", nameless));
    issuer.keys.add(second);
    clock.advance(RemoteKeys.PAUSE);
    assertInstanceOf(Verdict.Accepted.class, provider.checkToken("example.org", nameless));
  }

  @Test
  void anOutageStopsNoLoginWithAKnownKey() throws Exception {
    accepted(first);
    issuer.close();
    clock.advance(Duration.ofHours(1));
    accepted(first);
    refused(second);
    clock.advance(RemoteKeys.STALE);
    ProviderException gone = assertThrows(ProviderException.class, () -> check(first));
    assertTrue(String.valueOf(gone.getMessage()).contains("cannot be asked"), gone::getMessage);
  }

  @Test
  void anIssuerThatComesBackIsAskedSoon() throws Exception {
    issuer.answers.put("/keys", new Answer(500, ""));
    assertThrows(ProviderException.class, () -> check(first));
    assertThrows(ProviderException.class, () -> check(first));
    assertEquals(1, requests());
    issuer.answers.clear();
    clock.advance(RemoteKeys.FIRST_PAUSE);
    accepted(first);
  }

  @Test
  void wrongAnswersAreNoKeysAndChangeNone() throws Exception {
    accepted(first);
    Map<String, Object> curve = new HashMap<>(first.jwk());
    curve.put("y", curve.get("x"));
    for (String body :
        List.of(
            "",
            "[]",
            "{}",
            "{\"keys\":{}}",
            "{\"keys\":[]}",
            "{\"keys\":[1,null,\"x\",{}]}",
            JsonText.of(Map.of("keys", List.of(curve))),
            "{\"keys\":[" + "1,".repeat(200_000) + "1]}",
            "\u00ff")) {
      issuer.answers.put("/keys", new Answer(200, body));
      clock.advance(Duration.ofMinutes(6));
      accepted(first);
    }
    issuer.answers.put("/keys", new Answer(302, ""));
    clock.advance(Duration.ofMinutes(6));
    accepted(first);
    assertEquals(11, requests());
  }

  @Test
  void keysForOtherEndsAndOfUnknownTypesAreLeftOut() throws Exception {
    Map<String, Object> encryption = new HashMap<>(second.jwk());
    encryption.put("use", "enc");
    Map<String, Object> other = new HashMap<>(SigningKey.create("third", "ES256").jwk());
    other.put("alg", "ES384");
    issuer.answers.put(
        "/keys",
        new Answer(
            200,
            JsonText.of(
                Map.of(
                    "keys",
                    List.of(
                        Map.of("kty", "AKP", "kid", "first"), encryption, other, first.jwk())))));
    accepted(first);
    refused(second);
  }

  @Test
  void aDescriptionOfAnotherIssuerIsNone() throws Exception {
    for (Map<String, String> description :
        List.of(
            Map.of("issuer", "https://id.example.org", "jwks_uri", issuer.issuer() + "/keys"),
            Map.of("issuer", issuer.issuer()),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "http://192.0.2.1/keys"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "file:///etc/passwd"))) {
      issuer.answers.put(CONFIGURATION, new Answer(200, JsonText.of(description)));
      clock.advance(RemoteKeys.FIRST_PAUSE);
      assertThrows(ProviderException.class, () -> check(first));
    }
    assertEquals(0, requests());
  }

  @Test
  void onlyHttpsAndThisMachineAreAsked() {
    for (String url :
        List.of(
            "https://id.example.org/keys",
            "http://127.0.0.1:1/k",
            "http://[::1]/",
            "http://localhost/k")) {
      assertTrue(JsonClient.isAllowed(URI.create(url)), url);
    }
    for (String url :
        List.of(
            "http://id.example.org/keys",
            "http://127.0.0.1.example.org/",
            "http://localhost.example.org/",
            "http://169.254.169.254/latest",
            "https://user:secret@id.example.org/",
            "file:///etc/passwd",
            "jar:https://x/",
            "/keys")) {
      assertTrue(!JsonClient.isAllowed(URI.create(url)), url);
    }
  }

  @Test
  void anIssuerThatHangsIsLeftAfterItsTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String name = "http://127.0.0.1:" + silent.getLocalPort();
      JwtAccountProvider asking = create(name, Duration.ofMillis(200));
      String token = first.token(Map.of("alg", "ES256"), JsonText.of(Map.of("iss", name)));
      ProviderException late =
          assertThrows(ProviderException.class, () -> asking.checkToken("example.org", token));
      assertTrue(String.valueOf(late.getMessage()).contains("not answered within 200 ms"));
    }
  }

  @Test
  void aBodyThatDripsIsLeftAfterItsTime() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        ServerSocket slow = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Future<?> dripping =
          executor.submit(() -> {
            Socket accepted = slow.accept();
            accepted
                .getOutputStream()
                .write(
                    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
                        .getBytes(StandardCharsets.US_ASCII));
            return accepted;
          });
      String name = "http://127.0.0.1:" + slow.getLocalPort();
      JwtAccountProvider asking = create(name, Duration.ofMillis(300));
      String token = first.token(Map.of("alg", "ES256"), JsonText.of(Map.of("iss", name)));
      assertThrows(ProviderException.class, () -> asking.checkToken("example.org", token));
      ((Socket) dripping.get()).close();
    }
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String name = "http://127.0.0.1:" + silent.getLocalPort();
      JwtAccountProvider asking = create(name, Duration.ofMinutes(10));
      String token = first.token(Map.of("alg", "ES256"), JsonText.of(Map.of("iss", name)));
      CountDownLatch connected = new CountDownLatch(1);
      Future<?> server =
          executor.submit(() -> {
            Socket accepted = silent.accept();
            connected.countDown();
            return accepted.getInputStream().readAllBytes();
          });
      Thread[] asker = new Thread[1];
      Future<Verdict> answer =
          executor.submit(() -> {
            asker[0] = Thread.currentThread();
            return asking.checkToken("example.org", token);
          });
      connected.await();
      asker[0].interrupt();
      ExecutionException ended = assertThrows(ExecutionException.class, answer::get);
      assertInstanceOf(InterruptedException.class, ended.getCause());
      assertTrue(server.get() != null, "the connection was closed");
    }
  }
}
