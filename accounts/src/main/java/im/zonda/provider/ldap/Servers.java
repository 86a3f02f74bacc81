package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import im.zonda.account.provider.ProviderException;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.provider.ldap.ServerAddress.Scheme;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/// Opens connections to the first server of the directory that answers. A server that did not
/// answer is tried after the others for a while. Blocks in the caller's thread; an interrupt ends
/// it. Any thread may call.
final class Servers {
  /// The most time for each step of opening a connection: connect, TLS, bind. Two servers that hang
  /// must leave time for a third.
  static final int OPEN_MILLIS = 1_500;

  /// The most time for the answer to a question.
  private static final int ANSWER_MILLIS = 4_000;

  private static final long AVOIDED_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long RECORDS_NANOS = TimeUnit.SECONDS.toNanos(60);

  /// The most addresses of one name that are tried.
  private static final int MOST_ADDRESSES = 4;

  private final LdapAccounts settings;
  private final List<ServerAddress> named;
  private final @Nullable ServiceRecords records;
  private final Map<ServerAddress, Long> failed = new ConcurrentHashMap<>();
  private volatile @Nullable Found found;

  private record Found(List<ServerAddress> servers, long since) {}

  /// What is done with each step of opening a connection.
  interface Steps {
    /// A step has worked.
    void done(String step, String text);
  }

  /// @param resolver the name server of `srv`; null for those of the machine
  /// @throws IllegalArgumentException if a server is none
  Servers(LdapAccounts settings, @Nullable InetSocketAddress resolver) {
    this.settings = settings;
    List<ServerAddress> all = new ArrayList<>();
    ServiceRecords srv = null;
    for (String server : settings.servers()) {
      ServerAddress address = ServerAddress.parse(server);
      if (address == null) {
        throw new IllegalArgumentException(
            server + " is not ldap://host, ldaps://host or srv://domain");
      }
      if (address.scheme() == Scheme.SRV) {
        srv = new ServiceRecords(address.host(), settings.authorities() != null, resolver);
      } else {
        all.add(address);
      }
    }
    this.named = List.copyOf(all);
    this.records = srv;
  }

  /// The servers in the order in which they are tried now.
  List<ServerAddress> inOrder() throws ProviderException, InterruptedException {
    List<ServerAddress> all = new ArrayList<>(named);
    if (records != null) {
      all.addAll(byDns(records));
    }
    long now = System.nanoTime();
    failed.values().removeIf(since -> now - since > AVOIDED_NANOS);
    Set<ServerAddress> late = Set.copyOf(failed.keySet());
    all.sort(Comparator.comparing(late::contains));
    return all;
  }

  private List<ServerAddress> byDns(ServiceRecords lookup)
      throws ProviderException, InterruptedException {
    Found known = found;
    if (known != null && System.nanoTime() - known.since < RECORDS_NANOS) {
      return known.servers;
    }
    try {
      List<ServerAddress> servers = lookup.lookup();
      found = new Found(servers, System.nanoTime());
      return servers;
    } catch (ProviderException e) {
      Failures.interrupted();
      if (known != null) {
        return known.servers; // DNS is away: the directory need not be
      }
      throw e;
    }
  }

  /// Notes that a server does not answer, so that others are tried first.
  void avoid(ServerAddress server) {
    failed.put(server, System.nanoTime());
  }

  private void note(ServerAddress server, boolean answers) {
    if (answers) {
      failed.remove(server);
    } else {
      avoid(server); // also if the caller did not wait for it
    }
  }

  /// Opens a connection that is bound by the name of the settings, or by none.
  ///
  /// @param most the most bytes of one answer
  /// @throws ProviderException if no server answers, or one refuses the name
  Link open(boolean bound, int most) throws ProviderException, InterruptedException {
    List<String> reasons = new ArrayList<>();
    for (ServerAddress server : inOrder()) {
      boolean answers = false;
      try {
        LDAPConnection connection = connect(server, most, (_, _) -> {});
        try {
          if (bound) {
            bind(connection);
          }
          answers = true;
          return new Link(server, connection);
        } catch (LDAPException e) {
          connection.close();
          answers = e.getResultCode().isConnectionUsable();
          if (answers) {
            throw Failures.of("the directory refuses bind-dn " + settings.bindDn(), e);
          }
          reasons.add(server + " " + Failures.text(e));
        }
      } catch (IOException e) {
        reasons.add(server + " " + Failures.clean(String.valueOf(e.getMessage())));
      } finally {
        note(server, answers);
      }
      Failures.interrupted();
    }
    throw new ProviderException(
        "no server of the directory answers: " + String.join("; ", reasons));
  }

  /// Connects to one server, with TLS if the settings say so.
  ///
  /// @throws IOException with the step that failed
  LDAPConnection connect(ServerAddress server, int most, Steps steps)
      throws IOException, InterruptedException {
    Socket socket = socket(server);
    try {
      steps.done("connect", server + " at " + socket.getInetAddress().getHostAddress());
      if (server.scheme() == Scheme.LDAPS) {
        socket =
            new DirectoryTls(settings.authorities(), server.host())
                .createSocket(socket, server.host(), server.port(), true);
        steps.done("tls", "the certificate names " + server.host());
      }
      LDAPConnection connection =
          new LDAPConnection(new Ready(socket), options(most), server.host(), server.port());
      if (server.scheme() == Scheme.LDAP && settings.startTls()) {
        startTls(connection, server);
        steps.done("tls", "StartTLS; the certificate names " + server.host());
      }
      return connection;
    } catch (LDAPException | GeneralSecurityException | IOException e) {
      socket.close();
      Failures.interrupted();
      throw e instanceof IOException io ? tls(io) : new IOException(text(e), e);
    }
  }

  private static IOException tls(IOException e) {
    return new IOException("TLS: " + e.getMessage(), e);
  }

  private static String text(Exception e) {
    return e instanceof LDAPException failure ? Failures.text(failure) : "TLS: " + e.getMessage();
  }

  private static Socket socket(ServerAddress server) throws IOException, InterruptedException {
    IOException last = new IOException("no address");
    InetAddress[] all = InetAddress.getAllByName(server.host());
    for (int i = 0; i < Math.min(all.length, MOST_ADDRESSES); i++) {
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoTimeout(OPEN_MILLIS);
        socket.connect(new InetSocketAddress(all[i], server.port()), OPEN_MILLIS);
        return socket;
      } catch (IOException e) {
        socket.close();
        Failures.interrupted();
        last = e;
      }
    }
    throw last;
  }

  private void startTls(LDAPConnection connection, ServerAddress server)
      throws LDAPException, IOException, GeneralSecurityException {
    StartTLSExtendedRequest request =
        new StartTLSExtendedRequest(new DirectoryTls(settings.authorities(), server.host()));
    request.setResponseTimeoutMillis(OPEN_MILLIS);
    try {
      if (!connection
          .processExtendedOperation(request)
          .getResultCode()
          .equals(ResultCode.SUCCESS)) {
        throw new IOException("the server refuses StartTLS");
      }
    } catch (LDAPException e) {
      connection.close();
      throw e;
    }
  }

  /// Binds by the name of the settings; does nothing if there is none.
  void bind(LDAPConnection connection) throws LDAPException {
    if (settings.bindDn() != null) {
      SimpleBindRequest request =
          new SimpleBindRequest(
              settings.bindDn(), Objects.requireNonNullElse(settings.bindPassword(), ""));
      request.setResponseTimeoutMillis(OPEN_MILLIS);
      connection.bind(request);
    }
  }

  private static LDAPConnectionOptions options(int most) {
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    options.setUseSynchronousMode(true); // no thread for each connection
    options.setConnectTimeoutMillis(OPEN_MILLIS);
    options.setResponseTimeoutMillis(ANSWER_MILLIS);
    options.setAbandonOnTimeout(false);
    options.setFollowReferrals(false);
    options.setMaxMessageSize(most);
    options.setBindWithDNRequiresPassword(true);
    options.setUseSchema(false);
    return options;
  }

  /// Hands over a socket that is connected already. The library would connect in another thread,
  /// which an interrupt does not reach.
  private static final class Ready extends SocketFactory {
    private final Socket socket;

    Ready(Socket socket) {
      this.socket = socket;
    }

    @Override
    public Socket createSocket() {
      throw new UnsupportedOperationException("the library names the server that it wants");
    }

    @Override
    public Socket createSocket(String host, int port) {
      return socket;
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      return socket;
    }

    @Override
    public Socket createSocket(InetAddress address, int port) {
      return socket;
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
      return socket;
    }
  }
}
