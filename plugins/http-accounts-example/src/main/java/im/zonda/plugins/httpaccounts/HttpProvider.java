package im.zonda.plugins.httpaccounts;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Sends `{"user":"alice","domain":"example.org","password":"…"}` by POST, without `password` to
/// ask whether there is such an account. The status says the answer: 200 yes, 403 wrong password,
/// 404 no such account. Everything else means that the service cannot answer now.
final class HttpProvider implements AccountProvider {
  private final URI service;
  private final String secret;
  private final Duration timeout;
  private final HttpClient client;

  HttpProvider(URI service, String secret, Duration timeout) {
    this.service = service;
    this.secret = secret;
    this.timeout = timeout;
    this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.PASSWORD, Ability.FIND);
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    String password = ",\"password\":" + quoted(question.password());
    return ask(question.domain(), question.local(), password);
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    return ask(domain, local, "");
  }

  private Verdict ask(String domain, String local, String more)
      throws ProviderException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service)
            .timeout(timeout)
            .header("Authorization", "Bearer " + secret)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"user\":" + quoted(local) + ",\"domain\":" + quoted(domain) + more + "}"))
            .build();
    int status;
    try {
      status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      throw new ProviderException("the service does not answer", e);
    }
    return switch (status) {
      case 200 -> new Verdict.Accepted(ProvidedAccount.of(local));
      case 403 -> new Verdict.Wrong("the password is wrong");
      case 404 -> Verdict.UNKNOWN;
      default -> throw new ProviderException("the service has answered " + status);
    };
  }

  /// A text as JSON.
  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars()
        .forEach(c -> {
          if (c < ' ' || c == '"' || c == '\\') {
            json.append("\\u%04x".formatted(c));
          } else {
            json.append((char) c);
          }
        });
    return json.append('"').toString();
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    long begin = System.nanoTime();
    boolean ok;
    String text;
    try {
      Verdict verdict = checkPassword(question);
      ok = verdict instanceof Verdict.Accepted;
      text = verdict.getClass().getSimpleName();
    } catch (ProviderException e) {
      ok = false;
      text = String.valueOf(e.getMessage());
    }
    return List.of(new TestStep("ask", ok, Duration.ofNanos(System.nanoTime() - begin), text));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
