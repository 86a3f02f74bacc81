package im.zonda.provider.http;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request to the service.
///
/// @param rest what follows the address of the service
/// @param body what is posted; null to get something
/// @param headers besides those of HTTP
/// @param mostBytes of the answer
/// @param limit the most time for all of it
@SuppressWarnings("ArrayRecordComponent") // never compared
record Request(
    String rest,
    byte @Nullable [] body,
    Map<String, String> headers,
    int mostBytes,
    Duration limit) {
  /// Without the content.
  @Override
  public String toString() {
    return body == null ? "GET" : "POST";
  }
}
