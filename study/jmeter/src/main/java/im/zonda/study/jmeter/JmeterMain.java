package im.zonda.study.jmeter;

import static us.abstracta.jmeter.javadsl.JmeterDsl.httpSampler;
import static us.abstracta.jmeter.javadsl.JmeterDsl.jtlWriter;
import static us.abstracta.jmeter.javadsl.JmeterDsl.testPlan;
import static us.abstracta.jmeter.javadsl.JmeterDsl.threadGroup;
import static us.abstracta.jmeter.javadsl.JmeterDsl.uniformRandomTimer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// Has threads of JMeter ask for one page, without what the page refers to.
public final class JmeterMain {
  private JmeterMain() {}

  /// Arguments: the URL, the number of threads, the requests of each, the longest wait before a
  /// request in milliseconds, the file for the results.
  ///
  /// @throws IOException if the results cannot be written
  public static void main(String[] arguments) throws IOException {
    Path results = Path.of(arguments[4]).toAbsolutePath();
    Path folder = results.getParent();
    if (folder == null) {
      throw new IOException(results + " is no file");
    }
    Duration wait = Duration.ofMillis(Long.parseLong(arguments[3]));
    testPlan(
            threadGroup(
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                httpSampler(arguments[0]).children(uniformRandomTimer(Duration.ZERO, wait))),
            jtlWriter(folder.toString(), results.getFileName().toString()))
        .run();
    System.exit(0); // threads of JMeter may stay
  }
}
