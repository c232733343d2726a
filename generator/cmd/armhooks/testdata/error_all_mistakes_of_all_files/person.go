// In the folder of another package.

package v1beta20210101storage
