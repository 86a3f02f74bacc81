package im.zonda.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FailureTextTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets the folder
  FailureTextTest() {}

  @Test
  void whatIsWrongWithAFileIsSaid() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    Path none = folder.resolve("none");
    assertThat(text(() -> Files.readAllBytes(none))).isEqualTo(none + " does not exist");
    assertThat(text(() -> Files.createDirectories(file))).isEqualTo(file + " is not a folder");
    assertThat(text(() -> Files.createDirectory(folder))).isEqualTo(folder + " exists already");
    assertThat(text(() -> Files.readAllBytes(file.resolve("below"))))
        .isEqualTo(file.resolve("below") + ": a part of this path is a file, not a folder");
    assertThat(text(() -> Files.readAllBytes(folder))).isEqualTo("this is a folder, not a file");
    assertThat(text(() -> Files.newByteChannel(folder, java.nio.file.StandardOpenOption.WRITE)))
        .isEqualTo(folder + " is a folder, not a file");
    assertThat(FailureText.of(new AccessDeniedException("/root/data")))
        .isEqualTo("/root/data: permission denied for the user " + System.getProperty("user.name"));
    assertThat(FailureText.of(new IOException("the key is that of another certificate")))
        .isEqualTo("the key is that of another certificate");
  }

  @Test
  void theFileIsNamedInAnyCase() {
    assertThat(FailureText.of(failure(() -> Files.readAllBytes(folder)), folder))
        .isEqualTo(folder + " is a folder, not a file");
    Path none = folder.resolve("none");
    assertThat(FailureText.of(failure(() -> Files.readAllBytes(none)), none))
        .isEqualTo(none + " does not exist");
    assertThat(FailureText.of(new IOException("Input/output error"), none))
        .isEqualTo(none + ": Input/output error");
  }

  @Test
  void whatIsWrongWithAConnectionIsSaid() {
    IOException refused = new ConnectException();
    refused.initCause(new ClosedChannelException());
    assertThat(FailureText.of(refused)).isEqualTo("connection refused");
    IOException unknown = new ConnectException();
    unknown.initCause(new UnresolvedAddressException());
    assertThat(FailureText.of(unknown)).isEqualTo("there is no such host");
    assertThat(FailureText.of(new UnknownHostException("a.invalid")))
        .isEqualTo("there is no such host");
    assertThat(FailureText.of(new HttpConnectTimeoutException("x")))
        .isEqualTo("no connection in time");
    assertThat(FailureText.of(new HttpTimeoutException("x"))).isEqualTo("no answer in time");
    assertThat(FailureText.of(new SSLHandshakeException("no name matches")))
        .isEqualTo("no TLS: no name matches");
    assertThat(FailureText.of(new ClosedChannelException())).isEqualTo("ClosedChannelException");
  }

  @Test
  void whatToDoAboutAnAddressIsSaid() {
    assertThat(FailureText.ofBind(new BindException("Address already in use")))
        .isEqualTo("the address is in use by another program");
    assertThat(FailureText.ofBind(new BindException("Cannot assign requested address")))
        .isEqualTo("this is no address of this machine");
    assertThat(
            FailureText.ofBind(
                new IOException("bind(..) failed with error(-13): Permission denied")))
        .contains("ports below 1024", "AmbientCapabilities");
  }

  private static String text(Executable action) {
    return FailureText.of(failure(action));
  }

  private static IOException failure(Executable action) {
    return org.junit.jupiter.api.Assertions.assertThrows(IOException.class, action);
  }
}
