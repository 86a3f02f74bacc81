/// Administration of a host: `AdminModule` offers operations (`admin.operation`) and makes ad-hoc
/// commands of them, also those of XEP-0133 (`admin.command`). What concerns an account is done at
/// its home, on whatever node of a cluster it is (`admin.home`).
@NullMarked
package im.zonda.module.admin;

import org.jspecify.annotations.NullMarked;
