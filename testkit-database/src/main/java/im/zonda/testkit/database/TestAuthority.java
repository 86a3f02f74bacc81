package im.zonda.testkit.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/// A certificate authority of tests, and a server certificate. Made by the JDK's `keytool`: in this
/// process if the JVM has been told to open it (`argLine` in the root pom), otherwise in one of its
/// own, which takes most of a second.
///
/// @param authority PEM file with the authority's certificate
/// @param certificate PEM file with the server's certificate
/// @param key PEM file with the server's key
public record TestAuthority(Path authority, Path certificate, Path key) {
  private static final String PASSWORD = "password";
  private static final String STORE = "authority.p12";
  private static final List<String> QUICK_START =
      List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC");
  private static final List<String> EC = List.of("-keyalg", "EC", "-groupname", "secp256r1");
  private static final List<String> RSA = List.of("-keyalg", "RSA", "-keysize", "2048");

  /// Makes an authority and a certificate for `localhost` only, no address has it, with files in a
  /// folder.
  public static TestAuthority create(Path folder) {
    keytool(folder, EC, "-genkeypair", "-alias", "ca", "-dname", "CN=Test CA", "-ext", "bc:c");
    return issue(folder, "server", List.of("localhost"));
  }

  /// Makes a certificate of the authority in that folder.
  ///
  /// @param name the name of the files
  /// @param domains the domains that the certificate names
  public static TestAuthority issue(Path folder, String name, List<String> domains) {
    return issue(folder, EC, name, domains);
  }

  /// The same with an RSA key. Java writes EC keys without their public part, which the library of
  /// ejabberd needs.
  public static TestAuthority issueWithRsaKey(Path folder, String name, List<String> domains) {
    return issue(folder, RSA, name, domains);
  }

  /// The same, with a certificate that has expired.
  public static TestAuthority issueExpired(Path folder, String name, List<String> domains) {
    List<String> expired = new ArrayList<>(EC);
    expired.addAll(List.of("-startdate", "-60d"));
    return issue(folder, expired, name, domains);
  }

  private static TestAuthority issue(
      Path folder, List<String> algorithm, String name, List<String> domains) {
    String alternatives = domains.stream().map("dns:"::concat).collect(Collectors.joining(","));
    keytool(
        folder,
        algorithm,
        "-genkeypair",
        "-alias",
        name,
        "-dname",
        "CN=" + domains.getFirst(),
        "-signer",
        "ca",
        "-ext",
        "san=" + alternatives);
    TestAuthority made =
        new TestAuthority(
            folder.resolve("authority.crt"),
            folder.resolve(name + ".crt"),
            folder.resolve(name + ".key"));
    try {
      made.export(folder.resolve(STORE), name);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return made;
  }

  private static void keytool(Path folder, List<String> algorithm, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(algorithm);
    all.addAll(List.of("-validity", "30"));
    all.addAll(List.of("-keystore", folder.resolve(STORE).toString(), "-storepass", PASSWORD));
    if (!runHere(all)) {
      runProcess(all);
    }
  }

  /// Runs keytool in this process.
  ///
  /// @return false if the JVM does not open its package
  private static boolean runHere(List<String> arguments) {
    try {
      Class<?> keytool = Class.forName("sun.security.tools.keytool.Main");
      Constructor<?> maker = keytool.getDeclaredConstructor();
      Method run = keytool.getDeclaredMethod("run", String[].class, PrintStream.class);
      if (!maker.trySetAccessible() || !run.trySetAccessible()) {
        return false;
      }
      run.invoke(
          maker.newInstance(),
          arguments.toArray(String[]::new),
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
      return true;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("keytool " + arguments, e.getCause());
    } catch (ReflectiveOperationException e) {
      return false; // this JDK has another one
    }
  }

  private static void runProcess(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(QUICK_START);
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (InputStream output = process.getInputStream()) {
        String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
          throw new IllegalStateException(text);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void export(Path store, String name) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    write(authority, "CERTIFICATE", keys.getCertificate("ca").getEncoded());
    write(certificate, "CERTIFICATE", keys.getCertificate(name).getEncoded());
    write(key, "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
  }

  private static void write(Path file, String type, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
