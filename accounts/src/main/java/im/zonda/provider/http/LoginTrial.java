package im.zonda.provider.http;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// A login step by step: the address, a connection of its own, TLS, and the questions.
final class LoginTrial {
  private final HttpService service;
  private final AccountProvider provider;
  private final List<TestStep> steps = new ArrayList<>();

  LoginTrial(HttpService service, AccountProvider provider) {
    this.service = service;
    this.provider = provider;
  }

  /// Something that is tried.
  private interface Step {
    /// @return what came of it
    String run() throws ProviderException, IOException, InterruptedException;
  }

  /// The answer is no answer, or no.
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String reason) {
      super(reason);
    }
  }

  List<TestStep> run(PasswordQuestion question) throws InterruptedException {
    String domain = question.domain();
    String local = question.local();
    boolean isReached = run("address", this::addresses) && run("connect", this::connect);
    if (isReached && run("exists", () -> inWords(provider.find(domain, local)))) {
      run("check", () -> inWords(provider.checkPassword(question)));
      if (provider.abilities().contains(AccountProvider.Ability.SCRAM_KEYS)) {
        run("scram", () -> keys(domain, local));
      }
    }
    return steps;
  }

  private boolean run(String name, Step step) throws InterruptedException {
    long begin = System.nanoTime();
    boolean ok = false;
    String text;
    try {
      text = step.run();
      ok = true;
    } catch (ProviderException | IOException e) {
      text = String.valueOf(e.getMessage());
    }
    steps.add(new TestStep(name, ok, Duration.ofNanos(System.nanoTime() - begin), text));
    return ok;
  }

  private String addresses() throws ProviderException {
    List<String> all =
        service.address().lookUp().stream().map(InetAddress::getHostAddress).toList();
    return String.join(", ", all);
  }

  private String connect() throws ProviderException, IOException {
    ServiceAddress address = service.address();
    int timeout = (int) HttpService.CONNECT.toMillis();
    try (Socket socket = new Socket()) {
      InetAddress first = address.lookUp().getFirst();
      socket.connect(new InetSocketAddress(first, address.port()), timeout);
      if (!address.isTls()) {
        return "without TLS";
      }
      socket.setSoTimeout(timeout);
      try (SSLSocket secure =
          (SSLSocket)
              service
                  .tls()
                  .getSocketFactory()
                  .createSocket(socket, address.host(), address.port(), true)) {
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure.getSession().getProtocol();
      }
    }
  }

  private static String inWords(Verdict verdict) throws RefusedException {
    return switch (verdict) {
      case Verdict.Accepted accepted when accepted.account().disabled() ->
          throw new RefusedException("yes, but the account is disabled");
      case Verdict.Accepted _ -> "yes";
      case Verdict.Wrong _ -> throw new RefusedException("no");
      case Verdict.Unknown _ -> throw new RefusedException("unknown");
    };
  }

  private String keys(String domain, String local)
      throws ProviderException, IOException, InterruptedException {
    List<String> hashes = provider.keys(domain, local).stream().map(each -> each.hash()).toList();
    if (hashes.isEmpty()) {
      throw new RefusedException("unknown");
    }
    return String.join(", ", hashes);
  }
}
