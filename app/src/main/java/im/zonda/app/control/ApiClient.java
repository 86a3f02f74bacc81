package im.zonda.app.control;

import im.zonda.http.HttpMethod;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Asks the server that uses a data folder for operations, by HTTP on its control socket. Each
/// request has a connection of its own. Safe for use by several threads.
///
/// @param folder the data folder
public record ApiClient(Path folder) {
  /// What the server has answered.
  ///
  /// @param status the status
  /// @param body the body; empty if it was one of events
  public record Answer(int status, String body) {}

  /// Whether a server runs there.
  ///
  /// @throws AccessDeniedException if this user may not ask it
  public boolean isAnswered() throws AccessDeniedException {
    try (SocketPath path = SocketPath.in(folder)) {
      open(path).close();
      return true;
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      LoggerFactory.getLogger(ApiClient.class).atDebug().setCause(e).log("no_server_found");
      return false;
    }
  }

  /// Sends a request and waits for the answer.
  ///
  /// @param target the path and the query, escaped
  /// @param json the body, or null
  /// @param events gets the data of each server-sent event as it comes
  /// @throws IOException with words for the administrator if no server runs there, this user may
  ///   not ask it, or it does not answer
  public Answer send(
      HttpMethod method, String target, @Nullable String json, Consumer<String> events)
      throws IOException {
    try (SocketPath path = SocketPath.in(folder);
        SocketChannel channel = connect(path)) {
      // What is written is complete before anything is read: the limit of a body is the server's,
      // and the
      // server reads it before it answers, or ends the connection.
      OutputStream output = Channels.newOutputStream(channel);
      byte[] body = json == null ? new byte[0] : json.getBytes(StandardCharsets.UTF_8);
      output.write(head(method, target, json != null, body.length));
      output.write(body);
      return new HttpAnswerReader(Channels.newInputStream(channel)).read(events);
    }
  }

  private static byte[] head(HttpMethod method, String target, boolean hasBody, int length) {
    String type =
        hasBody ? "Content-Type: application/json\r\nContent-Length: " + length + "\r\n" : "";
    return (method
            + " "
            + target
            + " HTTP/1.1\r\nHost: zonda\r\nConnection: close\r\nAccept: application/json\r\n"
            + type
            + "\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private SocketChannel connect(SocketPath path) throws IOException {
    try {
      return open(path);
    } catch (AccessDeniedException e) {
      throw mayNotAsk(e);
    } catch (IOException e) {
      throw new IOException(noServer(folder), e);
    }
  }

  /// The failure of a user who may not ask a server, in words.
  public static IOException mayNotAsk(AccessDeniedException denied) {
    return new IOException(
        FailureText.of(denied) + "; run the command as root or as the user that runs the server",
        denied);
  }

  /// The words for a data folder without a server.
  public static String noServer(Path folder) {
    return "no server is running with the data folder " + folder;
  }

  private SocketChannel open(SocketPath path) throws IOException {
    UnixDomainSocketAddress address = path.address();
    try {
      return SocketChannel.open(address);
    } catch (IOException e) {
      throw failure(e, folder.resolve(SocketPath.NAME));
    }
  }

  /// What a failure to connect means: Java has one kind for all.
  static IOException failure(IOException failure, Path socket) {
    if (!String.valueOf(failure.getMessage()).contains("Permission denied")) {
      return failure;
    }
    AccessDeniedException denied = new AccessDeniedException(socket.toString());
    denied.initCause(failure);
    return denied;
  }
}
