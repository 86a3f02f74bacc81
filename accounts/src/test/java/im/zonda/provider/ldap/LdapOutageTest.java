package im.zonda.provider.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.provider.ldap.TestDirectory.Plan;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Directories that are away, hang or come back.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LdapOutageTest {
  private static final PasswordQuestion ROMEO =
      new PasswordQuestion("example.org", "romeo", "montague", null, "PLAIN");

  /// A server that accepts connections and says nothing, or ends them.
  private static final class Silent implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final LinkedBlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch first = new CountDownLatch(1);

    Silent(boolean ends) throws IOException {
      Thread.ofVirtual()
          .start(() -> {
            try {
              while (true) {
                Socket each = socket.accept();
                count.incrementAndGet();
                accepted.add(each);
                first.countDown();
                if (ends) {
                  each.close();
                }
              }
            } catch (IOException e) {
              // The test is over.
            }
          });
    }

    String url() {
      return "ldap://localhost:" + socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket each : accepted) {
        each.close();
      }
    }
  }

  private static void accepted(LdapProvider provider) throws Exception {
    assertThat(provider.checkPassword(ROMEO)).isInstanceOf(Verdict.Accepted.class);
  }

  @Test
  void aDirectoryThatComesBackIsUsedAgain() throws Exception {
    try (TestDirectory directory = TestDirectory.start(null, FreePorts.next())) {
      try (LdapProvider provider = directory.plan().provider()) {
        directory.server().shutDown(true);
        assertThatThrownBy(() -> provider.checkPassword(ROMEO))
            .isInstanceOf(ProviderException.class)
            .hasMessageContaining("Connection refused");
        for (int i = 0; i < 3; i++) {
          directory.server().startListening();
          accepted(provider);
          directory.server().shutDown(true);
          assertThatThrownBy(() -> provider.checkPassword(ROMEO))
              .isInstanceOf(ProviderException.class);
        }
      }
    }
  }

  @Test
  void connectionsThatAServerHasClosedAreReplacedWithoutAFailure() throws Exception {
    try (TestDirectory directory = TestDirectory.start();
        LdapProvider provider = directory.plan().provider()) {
      for (int i = 0; i < 5; i++) {
        accepted(provider);
        directory.server().closeAllConnections(false);
      }
    }
  }

  @Test
  void theNextServerIsUsedAndTheOneThatHangsIsAvoided() throws Exception {
    try (TestDirectory directory = TestDirectory.start();
        Silent hanging = new Silent(false);
        Silent ending = new Silent(true)) {
      Plan plan =
          new Plan(List.of("ldap://localhost:1", ending.url(), hanging.url(), directory.ldap()));
      try (LdapProvider provider = plan.provider()) {
        accepted(provider);
        directory.server().closeAllConnections(false);
        accepted(provider);
      }
      assertThat(hanging.count).hasValue(1);
      assertThat(ending.count).hasValue(1);
    }
  }

  @Test
  void aServerThatHangsIsAFailure() throws Exception {
    try (Silent hanging = new Silent(false);
        LdapProvider provider = new Plan(List.of(hanging.url())).provider()) {
      assertThatThrownBy(() -> provider.checkPassword(ROMEO))
          .isInstanceOf(ProviderException.class)
          .hasMessageStartingWith("no server of the directory answers: ");
      Plan tls = new Plan(List.of(hanging.url().replace("ldap:", "ldaps:")));
      try (LdapProvider secured = tls.provider()) {
        assertThatThrownBy(() -> secured.checkPassword(ROMEO))
            .isInstanceOf(ProviderException.class);
      }
    }
  }

  /// The directory hangs while a search waits for its answer.
  private static final class Hanging extends InMemoryOperationInterceptor {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void processSearchRequest(InMemoryInterceptedSearchRequest request) {
      asked.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Interrupts a call as soon as something has happened, and waits for its end.
  private static void interrupted(LdapProvider provider, CountDownLatch when) throws Exception {
    LinkedBlockingQueue<Object> results = new LinkedBlockingQueue<>();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                results.add(provider.checkPassword(ROMEO));
              } catch (ProviderException | InterruptedException e) {
                results.add(e);
              }
            });
    when.await();
    caller.interrupt();
    assertThat(results.take()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void anInterruptEndsACallAndTheNextOneAsksAnotherServer() throws Exception {
    Hanging hanging = new Hanging();
    try (TestDirectory slow = TestDirectory.start(hanging);
        TestDirectory directory = TestDirectory.start();
        LdapProvider provider = new Plan(List.of(slow.ldap(), directory.ldap())).provider()) {
      interrupted(provider, hanging.asked);
      accepted(provider);
      hanging.goOn.countDown();
    }
  }

  @Test
  void anInterruptEndsAConnectionThatIsNotOpenYet() throws Exception {
    try (Silent silent = new Silent(false);
        TestDirectory directory = TestDirectory.start();
        LdapProvider provider = new Plan(List.of(silent.url(), directory.ldap())).provider()) {
      interrupted(provider, silent.first);
      accepted(provider);
      assertThat(silent.count).hasValue(1);
    }
  }

  @Test
  void aConnectionThatWasIdleIsAskedWhetherItAnswers() throws Exception {
    try (TestDirectory directory = TestDirectory.start()) {
      Servers servers = new Servers(directory.plan().settings(), null);
      try (Link link = servers.open(true, Links.ANSWER_BYTES)) {
        assertThat(link.answers()).isTrue();
        directory.server().closeAllConnections(false);
        assertThat(link.answers()).isFalse();
      }
    }
  }

  @Test
  void callsThatRunFailWhenTheProviderIsClosed() throws Exception {
    Hanging hanging = new Hanging();
    try (TestDirectory directory = TestDirectory.start(hanging);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      LdapProvider provider = directory.plan().provider();
      Future<Verdict> call = threads.submit(() -> provider.checkPassword(ROMEO));
      hanging.asked.await();
      provider.close();
      assertThatThrownBy(call::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ProviderException.class)
          .hasMessageNotContaining("timeout");
      hanging.goOn.countDown();
      assertThatThrownBy(() -> provider.checkPassword(ROMEO)).isInstanceOf(ProviderException.class);
    }
  }

  @Test
  void manyAtATimeShareFewConnections() throws Exception {
    try (TestDirectory directory = TestDirectory.start();
        LdapProvider provider = directory.plan().provider();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Verdict>> calls = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String password = i % 2 == 0 ? "montague" : "capulet";
        calls.add(() ->
            provider.checkPassword(
                new PasswordQuestion("example.org", "romeo", password, null, "PLAIN")));
      }
      List<Future<Verdict>> results = threads.invokeAll(calls);
      for (int i = 0; i < results.size(); i++) {
        assertThat(results.get(i).get())
            .isInstanceOf(i % 2 == 0 ? Verdict.Accepted.class : Verdict.Wrong.class);
      }
    }
  }

  @Test
  void dnsNamesTheServers(@TempDir Path folder) throws Exception {
    TestAuthority authority = TestAuthority.create(folder);
    try (TestDirectory directory = TestDirectory.start(authority, 0);
        TestDns dns = new TestDns("_ldap._tcp.example.org")) {
      dns.add(10, 1, "localhost");
      dns.add(0, directory.port(), "localhost");
      dns.add(20, 389, ".");
      Plan plan = new Plan(List.of("srv://example.org")).tls(authority.authority());
      try (LdapProvider provider =
          LdapProvider.of(plan.settings(), InstantSource.system(), dns.address())) {
        accepted(provider);
        directory.server().closeAllConnections(false);
        accepted(provider);
      }
      assertThat(dns.questions()).isEqualTo(1);
      // A forged answer of DNS must not name a server that has a good certificate.
      plan.authorities = null;
      try (LdapProvider provider =
          LdapProvider.of(plan.settings(), InstantSource.system(), dns.address())) {
        assertThatThrownBy(() -> provider.checkPassword(ROMEO))
            .isInstanceOf(ProviderException.class)
            .hasMessageContaining("outside example.org");
      }
    }
  }

  @Test
  void aDomainWithoutServersIsAFailure() throws Exception {
    try (TestDns dns = new TestDns("_ldap._tcp.example.org");
        LdapProvider provider =
            LdapProvider.of(
                new Plan(List.of("srv://example.net")).settings(),
                InstantSource.system(),
                dns.address())) {
      assertThatThrownBy(() -> provider.checkPassword(ROMEO))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("_ldap._tcp.example.net");
    }
  }
}
