package im.zonda.provider.ldap;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.accounts.LdapAccounts.Kind;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The in-memory server of the library, with the people of a theatre.
final class TestDirectory implements AutoCloseable {
  static final String BASE = "dc=example,dc=org";
  static final String PEOPLE = "ou=people," + BASE;
  static final String GROUPS = "ou=groups," + BASE;
  static final String SERVICE = "cn=zonda," + BASE;
  static final String SERVICE_PASSWORD = "service secret";

  private final InMemoryDirectoryServer server;

  private TestDirectory(InMemoryDirectoryServer server) {
    this.server = server;
  }

  /// Starts without TLS.
  static TestDirectory start(InMemoryOperationInterceptor... interceptors) throws Exception {
    return start(null, 0, interceptors);
  }

  /// Starts with StartTLS, and with `ldaps`.
  ///
  /// @param port of `ldap`; 0 for any
  static TestDirectory start(
      @Nullable TestAuthority tls, int port, InMemoryOperationInterceptor... interceptors)
      throws Exception {
    InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
    config.setSchema(null);
    config.setGenerateOperationalAttributes(true);
    config.addAdditionalBindCredentials(SERVICE, SERVICE_PASSWORD);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    SSLContext context = tls == null ? null : context(tls);
    InMemoryListenerConfig ldap =
        InMemoryListenerConfig.createLDAPConfig(
            "ldap", loopback, port, context == null ? null : context.getSocketFactory());
    if (context == null) {
      config.setListenerConfigs(ldap);
    } else {
      config.setListenerConfigs(
          ldap,
          InMemoryListenerConfig.createLDAPSConfig(
              "ldaps", loopback, 0, context.getServerSocketFactory(), context.getSocketFactory()));
    }
    for (InMemoryOperationInterceptor interceptor : interceptors) {
      config.addInMemoryOperationInterceptor(interceptor);
    }
    TestDirectory directory = new TestDirectory(new InMemoryDirectoryServer(config));
    directory.add(BASE, "objectClass: domain");
    directory.add(PEOPLE, "objectClass: organizationalUnit");
    directory.add(GROUPS, "objectClass: organizationalUnit");
    directory.person("romeo", "montague", "displayName: Romeo Montague", "mail: romeo@example.net");
    directory.person("juliet", "capulet", "cn: Juliet Capulet");
    directory.server.startListening();
    return directory;
  }

  static SSLContext context(TestAuthority tls) throws IOException, GeneralSecurityException {
    String pem =
        Files.readString(tls.key())
            .lines()
            .filter(l -> !l.startsWith("-"))
            .collect(Collectors.joining());
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(tls.certificate())) {
      Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      store.setKeyEntry("server", key, new char[0], new Certificate[] {certificate});
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  InMemoryDirectoryServer server() {
    return server;
  }

  int port() {
    return server.getListenPort("ldap");
  }

  String ldap() {
    return "ldap://localhost:" + port();
  }

  String ldaps() {
    return "ldaps://localhost:" + server.getListenPort("ldaps");
  }

  void add(String dn, String... lines) throws Exception {
    String[] ldif = new String[lines.length + 1];
    ldif[0] = "dn: " + dn;
    System.arraycopy(lines, 0, ldif, 1, lines.length);
    server.add(ldif);
  }

  /// Adds a person, and says by which DN.
  String person(String uid, String password, String... more) throws Exception {
    String dn = "uid=" + uid + "," + PEOPLE;
    String[] lines = new String[more.length + 3];
    lines[0] = "objectClass: inetOrgPerson";
    lines[1] = "uid: " + uid;
    lines[2] = "userPassword: " + password;
    System.arraycopy(more, 0, lines, 3, more.length);
    add(dn, lines);
    return dn;
  }

  void group(String name, String... members) throws Exception {
    List<String> lines = new ArrayList<>(List.of("objectClass: groupOfNames", "cn: " + name));
    for (String member : members) {
      lines.add("member: " + member);
    }
    add("cn=" + name + "," + GROUPS, lines.toArray(String[]::new));
  }

  String uuid(String dn) throws LDAPException {
    Entry entry = Objects.requireNonNull(server.getEntry(dn, "entryUUID"));
    return Objects.requireNonNull(entry.getAttributeValue("entryUUID"));
  }

  @Override
  public void close() {
    server.shutDown(true);
  }

  /// Settings for the server without TLS.
  Plan plan() {
    return new Plan(List.of(ldap()));
  }

  /// Settings that can be changed.
  static final class Plan {
    List<String> servers;
    boolean startTls;
    @Nullable Path authorities;
    Kind kind = Kind.GENERIC;
    @Nullable String bindDn = SERVICE;
    @Nullable String bindPassword = SERVICE_PASSWORD;
    String base = PEOPLE;
    String filter = "(objectClass=*)";
    @Nullable String attribute;
    @Nullable String groupBase;
    String groupFilter = "(objectClass=*)";
    @Nullable String requiredGroup;
    boolean setPassword;
    int connections = 2;

    Plan(List<String> servers) {
      this.servers = servers;
    }

    Plan tls(Path trusted) {
      startTls = true;
      authorities = trusted;
      return this;
    }

    LdapAccounts settings() {
      return new LdapAccounts(
          servers,
          startTls,
          authorities,
          kind,
          bindDn,
          bindPassword,
          base,
          filter,
          attribute,
          groupBase,
          groupFilter,
          requiredGroup,
          setPassword,
          connections);
    }

    LdapProvider provider() {
      return LdapProvider.of(settings(), InstantSource.system());
    }
  }
}
