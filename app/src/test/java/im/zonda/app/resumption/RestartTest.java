package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A clean stop and start of the server looks to a client with XEP-0198 like a break of the
/// network.
final class RestartTest {
  private static final Login JULIET =
      Login.of("juliet@example.org/balcony", TestServer.PASSWORD).withSecurity(Login.Security.NONE);
  private static final Login ROMEO =
      Login.of("romeo@example.org/orchard", TestServer.PASSWORD).withSecurity(Login.Security.NONE);

  @TempDir private Path data;
  private final FakeClock clock = new FakeClock();

  private TestServer start() throws IOException {
    return ServerPlan.of(StandardModules::create).withClock(clock).withData(data).startInMemory();
  }

  @Test
  void sessionsAreResumedAfterARestart() throws IOException {
    TestServer server = start();
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    Managed romeo = Managed.online(server, "romeo@example.org/orchard");
    romeo
        .client()
        .send("<message to='juliet@example.org' type='chat' id='1'><body>1</body></message>");
    juliet.nextBody();
    romeo.client().fence("there", "juliet@example.org");
    server.close();
    try (TestServer again = server.restart()) {
      Managed.Attempt romeosAgain = Managed.resume(again, ROMEO, romeo.id(), 2);
      assertThat(romeosAgain.answer().localName()).isEqualTo("resumed");
      assertThat(romeosAgain.answer().attribute("h")).isEqualTo("3");
      romeosAgain
          .client()
          .send("<message to='juliet@example.org' type='chat' id='2'><body>2</body></message>");
      new Managed(romeosAgain.client(), romeo.id()).handled();

      Managed.Attempt julietsAgain = Managed.resume(again, JULIET, juliet.id(), 1);
      ScriptedClient client = julietsAgain.client();
      assertThat(julietsAgain.answer().attribute("h")).isEqualTo("1");
      assertThat(client.receive().childText("body")).isEqualTo("1");
      XmlElement second = client.receiveFirst(e -> e.localName().equals("message"));
      assertThat(second.childText("body")).isEqualTo("2");
      // Acknowledged now, both are gone from what waits.
      new Managed(client, juliet.id()).acknowledge(3).handled();
      client.disconnect();
      ScriptedClient next = again.connect("juliet@example.org/hall");
      next.send("<presence/>");
      next.fence("nothing");
      assertThat(next.unread()).isEqualTo(1);
    }
  }

  @Test
  void whatWasSentBeforeTheRestartSaysWhen() throws IOException {
    TestServer server = start();
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    Instant sent = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    romeo.send("<message to='juliet@example.org/balcony' type='headline'><body>1</body></message>");
    juliet.nextBody();
    server.close();
    clock.advance(Duration.ofSeconds(30));
    try (TestServer again = server.restart()) {
      Managed.Attempt attempt = Managed.resume(again, JULIET, juliet.id(), 1);
      XmlElement delay =
          Objects.requireNonNull(attempt.client().receive().child("urn:xmpp:delay", "delay"));
      assertThat(Instant.parse(Objects.requireNonNull(delay.attribute("stamp")))).isEqualTo(sent);
    }
  }

  @Test
  void aSessionThatIsNotResumedBecomesUnavailable() throws IOException {
    TestServer server = start();
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    server.close();
    try (TestServer again = server.restart()) {
      again.advance(Duration.ofSeconds(601));
      Managed.Attempt late = Managed.resume(again, JULIET, juliet.id(), 1);
      assertThat(late.answer().child("item-not-found")).isNotNull();
      assertThat(late.answer().attribute("h")).isEqualTo("1");
    }
  }

  @Test
  void aDamagedFileCostsALoginAndNoMessage() throws IOException {
    TestServer server = start();
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    romeo.send("<message to='juliet@example.org' type='chat' id='1'><body>1</body></message>");
    romeo.fence("there", "juliet@example.org");
    server.close();
    Path file = data.resolve("sessions");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    try (TestServer again = server.restart()) {
      assertThat(Files.exists(file)).isFalse();
      Managed.Attempt attempt = Managed.resume(again, JULIET, juliet.id(), 1);
      assertThat(attempt.answer().localName()).isEqualTo("failed");
      attempt.client().bind("balcony");
      attempt.client().send("<presence/>");
      assertThat(
              attempt.client().receiveFirst(e -> e.localName().equals("message")).childText("body"))
          .isEqualTo("1");
    }
  }
}
