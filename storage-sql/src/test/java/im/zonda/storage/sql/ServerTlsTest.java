package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.StoreException;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// TLS to a database server whose certificate is of a test's authority and for `localhost`.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class ServerTlsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");

  private final TestDatabase database;
  @TempDir Path folder;
  private Path authority;

  ServerTlsTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void enable() {
    authority = database.server().enableTls();
  }

  @AfterEach
  void disable() {
    database.server().disableTls();
  }

  /// @param host as the URL names the server
  private Storage settings(String host, DatabaseTls tls, @Nullable Path authorities) {
    Storage plain = database.settings(folder, new Storage(true, true, 0, 512));
    return new Storage(
        plain.archive(),
        plain.durable(),
        plain.commitDelayMillis(),
        plain.commitEntries(),
        plain.fullText(),
        plain.url().replaceFirst("//[^:]*:", "//" + host + ":"),
        DatabaseServer.USER,
        DatabaseServer.PASSWORD,
        tls,
        authorities,
        2,
        null);
  }

  private SqlStores open(Storage settings) {
    return SqlStores.open(folder, settings, Limits.defaults(), InstantSource.system());
  }

  /// Writing and reading use TLS, or the server would not accept the connections.
  private void serves(Storage settings) {
    try (SqlStores stores = open(settings)) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      assertThat(stores.accounts().find(ROMEO)).isNotNull();
    }
  }

  private void refuses(Storage settings, String... reason) {
    StoreException refusal =
        catchThrowableOfType(StoreException.class, () -> open(settings).close());
    assertThat(refusal).as("it has connected").isNotNull();
    assertThat(refusal.category()).isEqualTo(StoreException.Category.UNAVAILABLE);
    assertThat(refusal.getMessage())
        .contains(reason)
        .startsWith(settings.url())
        .doesNotContain(DatabaseServer.PASSWORD)
        .doesNotContain("\n");
  }

  @Test
  void aCertificateOfTheAuthorityForThatNameIsAccepted() {
    serves(settings("localhost", DatabaseTls.VERIFY, authority));
  }

  @Test
  void aCertificateForAnotherNameIsRejected() {
    refuses(settings("127.0.0.1", DatabaseTls.VERIFY, authority), "host", "127.0.0.1");
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRejected() throws IOException {
    TestAuthority other = TestAuthority.create(Files.createDirectory(folder.resolve("other")));
    refuses(
        settings("localhost", DatabaseTls.VERIFY, other.authority()),
        "not issued by a known authority");
  }

  @Test
  void withoutAuthoritiesThoseOfTheRuntimeCount() {
    refuses(settings("localhost", DatabaseTls.VERIFY, null), "not issued by a known authority");
  }

  @Test
  void anyCertificateIsAcceptedIfItIsNotVerified() {
    serves(settings("127.0.0.1", DatabaseTls.REQUIRE, null));
  }

  @Test
  void withoutTlsTheServerRefuses() {
    refuses(settings("localhost", DatabaseTls.OFF, null), "");
  }

  @Test
  void aFileOfAuthoritiesThatIsMissingIsNamed() {
    Path missing = folder.resolve("missing.crt");
    refuses(settings("localhost", DatabaseTls.VERIFY, missing), missing.toString());
  }
}
