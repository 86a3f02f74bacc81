package im.zonda.plugin;

import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Answers one kind of IQ request.
@Stable(since = "1.0")
@FunctionalInterface
public interface RequestHandler {
  /// Answers a request.
  ///
  /// @param host the domain of the virtual host
  /// @param request get or set, with its true `from`; `to` is a host, the bare address of an
  ///   account, or null for the sender's own account
  /// @return the payload of the result, or null for an empty result
  /// @throws RequestException to answer with an error
  /// @throws Exception the request is answered `internal-server-error`, and the failure is reported
  @Nullable Element answer(String host, Iq request) throws Exception;
}
