package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;
import java.util.List;

/// Administration of a host by its administrators (XEP-0133), and reports of abuse (XEP-0377).
public record Administration(
    @Setting(
            "bare JIDs of the administrators, who may run the commands of the host and get the reports"
                + " of abuse, such as `juliet@example.org`; their accounts are created by"
                + " administrators or on the command line only")
        List<String> admins,
    @Setting(
            value = "maximum number of commands that one administrator runs at a time",
            min = 1,
            max = 1_000)
        int sessions,
    @Setting(value = "time for which a command waits for its next step", min = 1_000)
        Duration sessionTime,
    @Setting(
            value =
                "maximum number of reports of one account that are forwarded to the"
                    + " administrators; further ones are only logged",
            key = "report-rate",
            form = Form.PER_HOUR)
        int reportsPerHour) {
  /// No administrators.
  public static final Administration DEFAULTS =
      new Administration(List.of(), 10, Duration.ofMinutes(10), 20);

  /// Copies the list.
  public Administration {
    admins = List.copyOf(admins);
  }

  /// The same with these administrators.
  public Administration withAdmins(List<String> newAdmins) {
    return new Administration(newAdmins, sessions, sessionTime, reportsPerHour);
  }
}
