package im.zonda.runtime;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/// The words for what went wrong with a file or a connection, for administrators. The messages of
/// Java's own exceptions are often a path only, or there is none.
public final class FailureText {
  private static final String FOLDER = "Is a directory";
  private static final String NO_FOLDER = "Not a directory";

  private FailureText() {}

  /// What went wrong, without a dot at its end. Exceptions with a sentence of their own keep it.
  public static String of(IOException failure) {
    return switch (failure) {
      case FileSystemException file when file.getFile() != null -> file(file, file.getFile());
      case ConnectException _, UnknownHostException _ -> connect(failure);
      case HttpConnectTimeoutException _ -> "no connection in time";
      case HttpTimeoutException _ -> "no answer in time";
      case SSLException _ -> "no TLS: " + message(failure);
      default ->
          FOLDER.equals(failure.getMessage()) ? "this is a folder, not a file" : message(failure);
    };
  }

  /// What went wrong with that file, which is named in any case.
  public static String of(IOException failure, Path file) {
    String text = of(failure);
    return text.contains(file.toString())
        ? text
        : file + (FOLDER.equals(failure.getMessage()) ? " is a folder, not a file" : ": " + text);
  }

  /// Why an address could not be bound, and what to do.
  public static String ofBind(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (message.contains("in use")) {
      return "the address is in use by another program";
    }
    if (message.contains("assign requested address")) {
      return "this is no address of this machine";
    }
    return message.contains("Permission denied")
        ? "permission denied: ports below 1024 need root or the capability CAP_NET_BIND_SERVICE"
            + " (systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE); or use another port and"
            + " forward this one to it"
        : message;
  }

  private static String file(FileSystemException failure, String file) {
    return switch (failure) {
      case NoSuchFileException _ -> file + " does not exist";
      case AccessDeniedException _ ->
          file + ": permission denied for the user " + System.getProperty("user.name");
      case FileAlreadyExistsException _ ->
          file + (Files.isDirectory(Path.of(file)) ? " exists already" : " is not a folder");
      default -> {
        String reason = failure.getReason();
        if (FOLDER.equals(reason)) {
          yield file + " is a folder, not a file";
        }
        yield NO_FOLDER.equals(reason)
            ? file + ": a part of this path is a file, not a folder"
            : message(failure);
      }
    };
  }

  private static String connect(IOException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException || each instanceof UnknownHostException) {
        return "there is no such host";
      }
    }
    String message = failure.getMessage();
    return message == null || message.contains("refused") ? "connection refused" : message;
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    Throwable cause = failure.getCause();
    if (message != null && !message.isBlank()) {
      return message;
    }
    String name = failure.getClass().getSimpleName();
    return cause == null ? name : name + " (" + cause + ")";
  }
}
