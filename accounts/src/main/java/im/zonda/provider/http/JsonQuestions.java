package im.zonda.provider.http;

import im.zonda.account.provider.ProviderException;
import im.zonda.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Asks the service in JSON, one POST a question.
final class JsonQuestions {
  /// The most bytes of an answer.
  static final int MOST_BYTES = 262_144;

  private final HttpService service;
  private final @Nullable Signature signature;
  private final Duration limit;

  /// @param signature signs the questions; null for none
  /// @param limit the most time for a question
  JsonQuestions(HttpService service, @Nullable Signature signature, Duration limit) {
    this.service = service;
    this.signature = signature;
    this.limit = limit;
  }

  /// Asks about an account.
  ///
  /// @param more further members of the question
  JsonAnswer ask(String question, String domain, String local, Map<String, String> more)
      throws ProviderException, InterruptedException {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("question", question);
    members.put("account", local + '@' + domain);
    members.putAll(more);
    return send(members, MOST_BYTES, limit);
  }

  /// Asks about a host, with a long answer.
  JsonAnswer ask(String question, String domain, int mostBytes, Duration longLimit)
      throws ProviderException, InterruptedException {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("question", question);
    members.put("host", domain);
    return send(members, mostBytes, longLimit);
  }

  private JsonAnswer send(Map<String, String> members, int mostBytes, Duration longest)
      throws ProviderException, InterruptedException {
    byte[] body = JsonText.of(members).getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = new HashMap<>();
    headers.put("Content-Type", "application/json");
    headers.put("Accept", "application/json");
    headers.put("Idempotency-Key", '"' + UUID.randomUUID().toString() + '"');
    if (signature != null) {
      headers.put(Signature.HEADER, signature.of(body));
    }
    return JsonAnswer.of(service.send(new Request("", body, headers, mostBytes, longest)));
  }
}
