/// Accounts of a service that answers by HTTP, in a form of questions of our own (JSON, signed), or
/// in that of MongooseIM.
@NullMarked
package im.zonda.provider.http;

import org.jspecify.annotations.NullMarked;
