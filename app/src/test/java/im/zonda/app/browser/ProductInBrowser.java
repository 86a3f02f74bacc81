package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/// The product with accounts of localhost that have one password, and a browser.
///
/// @param server the product
/// @param browser the browser
record ProductInBrowser(ProductServer server, Chromium browser) implements AutoCloseable {
  /// The password of each account.
  static final String PASSWORD = "the rose garden";

  /// Starts both at the same time. The test is skipped where there is no browser.
  ///
  /// @param folder an empty folder
  /// @param names the local parts of the accounts
  /// @param settings lines of the configuration
  static ProductInBrowser start(Path folder, List<String> names, String settings) throws Exception {
    String accounts =
        names.stream()
            .map(name -> name + "@localhost," + PASSWORD + "\n")
            .collect(Collectors.joining());
    Path data = Files.createDirectory(folder.resolve("server"));
    try (ExecutorService worker = Executors.newSingleThreadExecutor()) {
      Future<ProductServer> starting =
          worker.submit(() -> ProductServer.start(data, accounts, settings));
      Chromium browser = null;
      try {
        browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
        return new ProductInBrowser(starting.get(), browser);
      } catch (Throwable e) {
        if (browser == null) {
          starting.get().close();
        } else {
          browser.close();
        }
        throw e;
      }
    }
  }

  /// Signs a window in to the console by a link, and returns it.
  BrowserWindow signIn(BrowserWindow window) throws Exception {
    window.open(server.adminLink());
    window.waitForText("online");
    return window;
  }

  /// A client that has logged in.
  ScriptedClient client(String name, String resource) throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    return new ScriptedClient(SocketWire.connect(address))
        .login(
            Login.of(name + "@localhost/" + resource, PASSWORD).withSecurity(Login.Security.NONE));
  }

  /// Asserts that no page was kept from something by its policy, and that all errors were caught.
  void assertNothingWasForbidden() {
    List<String> complaints = List.copyOf(browser.complaints());
    browser.complaints().clear();
    assertThat(complaints).as("what pages were not allowed to do").isEmpty();
  }

  @Override
  public void close() {
    browser.close();
    server.close();
  }
}
